package wire_test

import (
	"context"
	"errors"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"cdphost/sdk/fault"
	"cdphost/sdk/proto/wire"
)

func TestErrorsCrossUnchanged(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		err  error
		code fault.Code
		text string
	}{
		"a fault":          {fault.New(fault.NotYours, "not %s", "yours"), fault.NotYours, "not_yours: not yours"},
		"a bare code":      {fault.CaptureInvalid, fault.CaptureInvalid, "capture_invalid: capture_invalid"},
		"wrapped":          {errors.Join(fault.New(fault.Denied, "no")), fault.Denied, "denied: no"},
		"any error":        {errors.New("boom"), fault.InternalError, "internal_error: boom"},
		"a deadline":       {context.DeadlineExceeded, fault.Timeout, "timeout: context deadline exceeded"},
		"a cancellation":   {context.Canceled, fault.Aborted, "aborted: context canceled"},
		"what Chrome said": {&wire.RemoteCDPError{Code: -32000, Message: "m", Data: "d"}, fault.CDPError, "cdp error -32000: m (d)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, got := range []error{wire.FromFault(wire.ToFault(tc.err)), wire.FromStatus(wire.ToStatus(tc.err), "the peer")} {
				if !errors.Is(got, tc.code) || got.Error() != tc.text {
					t.Errorf("got %v", got)
				}
			}
		})
	}
	if wire.FromFault(nil) != nil || wire.ToFault(nil) != nil || wire.ToStatus(nil) != nil || wire.FromStatus(nil, "") != nil {
		t.Error("nil does not stay nil")
	}
	if err := wire.FromFault(wire.ToFault(context.Canceled)); !errors.Is(err, context.Canceled) {
		t.Error("a cancellation lost its cause")
	}
}

func TestDetailsCross(t *testing.T) {
	t.Parallel()
	var f *fault.Error
	if err := wire.FromFault(wire.ToFault(fault.New(fault.Denied, "no").With("guard", "g"))); !errors.As(err, &f) || f.Details["guard"] != "g" {
		t.Errorf("got %#v", f)
	}
}

func TestStatusesOfTheTransport(t *testing.T) {
	t.Parallel()
	for code, want := range map[codes.Code]fault.Code{
		codes.Unavailable:       fault.PluginUnavailable,
		codes.DeadlineExceeded:  fault.Timeout,
		codes.Canceled:          fault.Aborted,
		codes.ResourceExhausted: fault.ReplyTooBig,
		codes.Unimplemented:     fault.Unsupported,
		codes.Internal:          fault.InternalError,
	} {
		if err := wire.FromStatus(status.Error(code, "x"), "plugin p"); !errors.Is(err, want) {
			t.Errorf("%s gives %v", code, err)
		}
	}
}
