package cdp

import (
	"errors"
	"testing"
)

// wantCallError checks that err is a *CallError about method that is in exactly
// one of the states not sent, no reply and answered, and has reason in its chain.
func wantCallError(t *testing.T, err error, method string, state, reason error) {
	t.Helper()
	var ce *CallError
	if !errors.As(err, &ce) {
		t.Fatalf("error is %v (%T), want a *CallError", err, err)
	}
	if ce.Method != method {
		t.Errorf("CallError.Method = %q, want %q", ce.Method, method)
	}
	for _, s := range []error{ErrNotSent, ErrNoReply} {
		if got, want := errors.Is(err, s), s == state; got != want { //nolint:errorlint // compared with the value asked for
			t.Errorf("errors.Is(%v, %v) = %v, want %v", err, s, got, want)
		}
	}
	if reason != nil && !errors.Is(err, reason) {
		t.Errorf("error %v does not wrap %v", err, reason)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
