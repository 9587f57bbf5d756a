package main

import (
	"context"
	"time"

	"cdphost/sdk"
	"cdphost/sdk/fault"
)

type policy struct {
	hours hours
	do    sdk.Action
	now   func() time.Time
}

// Decide implements sdk.DialogPolicy.
func (p policy) Decide(_ context.Context, req sdk.DialogRequest) (sdk.Verdict, error) {
	if req.Policy != "quiet-hours" {
		return sdk.Verdict{}, fault.New(fault.InvalidArgument, "there is no policy %q here", req.Policy)
	}
	if p.hours.contain(p.now()) {
		return sdk.Verdict{Do: p.do, Reason: "quiet hours"}, nil
	}
	return sdk.Verdict{Do: sdk.Hold}, nil
}
