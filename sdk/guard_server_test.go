package sdk

import (
	"context"
	"testing"

	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// untilStopped judges nothing before its context ends, and then returns verdict.
type untilStopped struct {
	CommandGuard
	verdict GuardVerdict
}

func (g untilStopped) Validate(ctx context.Context, _ GuardRequest) (GuardVerdict, error) {
	<-ctx.Done()
	return g.verdict, nil
}

func TestAGuardThatWasStoppedHasNotAllowed(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		verdict GuardVerdict
		code    codes.Code
	}{
		"allow":   {Allow(), codes.Canceled},
		"rewrite": {Rewrite([]byte(`{}`)), codes.Canceled},
		"deny":    {Deny("no"), codes.OK},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &server{}
			s.hooks.Store(&Hooks{CommandGuard: untilStopped{verdict: tc.verdict}})
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			_, err := commandGuardServer{srv: s}.Validate(ctx, &pluginv1.CommandGuardValidateRequest{})
			if got := status.Code(err); got != tc.code {
				t.Errorf("%v, want %v", err, tc.code)
			}
		})
	}
}
