package fault_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"cdphost/sdk/fault"
)

func TestIs(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("answering: %w", fault.Wrap(io.EOF, fault.NoDialog, "nothing is open in %s", "t1"))
	for _, tc := range []struct {
		name   string
		target error
		want   bool
	}{
		{"its code", fault.NoDialog, true},
		{"an error of its code", fault.New(fault.NoDialog, "other text"), true},
		{"its cause", io.EOF, true},
		{"another code", fault.DialogClosed, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got := errors.Is(err, tc.target); got != tc.want {
				t.Errorf("errors.Is = %v, want %v", got, tc.want)
			}
		})
	}
}

func TestCodeOf(t *testing.T) {
	t.Parallel()
	if got := fault.CodeOf(nil); got != "" {
		t.Errorf("CodeOf(nil) = %q", got)
	}
	if got := fault.CodeOf(io.EOF); got != fault.InternalError {
		t.Errorf("CodeOf(plain) = %q", got)
	}
	if got := fault.CodeOf(fmt.Errorf("x: %w", fault.New(fault.Timeout, "late"))); got != fault.Timeout {
		t.Errorf("CodeOf(wrapped) = %q", got)
	}
}

func TestWithCopies(t *testing.T) {
	t.Parallel()
	a := fault.New(fault.Timeout, "late")
	b := a.With("ms", 5)
	if a.Details != nil {
		t.Errorf("With changed the receiver: %v", a.Details)
	}
	if b.Details["ms"] != 5 || b.Error() != "timeout: late" {
		t.Errorf("With lost something: %v, %v", b.Details, b)
	}
}
