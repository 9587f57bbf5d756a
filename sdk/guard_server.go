package sdk

import (
	"context"

	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"

	"google.golang.org/grpc/status"
)

type commandGuardServer struct {
	pluginv1.UnimplementedCommandGuardServer
	srv *server
}

// Validate implements pluginv1.CommandGuardServer.
func (s commandGuardServer) Validate(ctx context.Context, req *pluginv1.CommandGuardValidateRequest) (*pluginv1.CommandGuardValidateResponse, error) {
	h, err := s.srv.configured()
	if err != nil {
		return nil, err
	}
	v, err := h.CommandGuard.Validate(withinValidator(ctx), GuardRequest{
		Task: taskFrom(req.GetTask()), Command: commandFrom(req.GetCommand()),
		Facts: factsFrom(req.GetFacts()), Sender: req.GetSender(),
	})
	out := &pluginv1.CommandGuardValidateResponse{}
	switch {
	case err != nil:
		return nil, err
	case ctx.Err() != nil && !v.deny:
		// A guard that was stopped by its deadline has not judged: what it returns
		// by default must not pass for a verdict.
		return nil, status.FromContextError(ctx.Err()).Err()
	case v.deny:
		out.Verdict = &pluginv1.CommandGuardValidateResponse_Deny{Deny: &pluginv1.Deny{Reason: v.reason}}
	case v.params != nil:
		out.Verdict = &pluginv1.CommandGuardValidateResponse_Rewrite{Rewrite: &pluginv1.Rewrite{Params: v.params}}
	default:
		out.Verdict = &pluginv1.CommandGuardValidateResponse_Allow{Allow: &pluginv1.Allow{}}
	}
	return out, nil
}

type validatorKey struct{}

// withinValidator marks the context of a validator, so that calls made with it
// are refused.
func withinValidator(ctx context.Context) context.Context {
	return context.WithValue(ctx, validatorKey{}, true)
}

func insideValidator(ctx context.Context) bool {
	inside, _ := ctx.Value(validatorKey{}).(bool)
	return inside
}
