package dialog

import (
	"errors"
	"fmt"
	"time"
)

// MaxTimeout is the longest hold that a policy can ask for. A page that nobody
// frees within a day is a leak, not a decision.
const MaxTimeout = 24 * time.Hour

// Values of Verdict.Do.
const (
	DoHold    = "hold"
	DoAccept  = "accept"
	DoDismiss = "dismiss"
	DoAsk     = "ask"
)

// ErrStale is returned for a verdict that came too late: the dialog is not held
// any more, or it has been given to a newer policy. The caller drops the verdict.
var ErrStale = errors.New("dialog: verdict is stale")

// Verdict is a policy's decision on one dialog.
type Verdict struct {
	Do string // DoHold, DoAccept, DoDismiss or DoAsk
	// Text is a prompt's answer with DoAccept; nil means the page's default text.
	Text *string
	// Timeout is how long after its opening DoHold and DoAsk keep the dialog; zero
	// and less mean Options.Timeout.
	Timeout time.Duration
	// Then is what the watchdog does at the end; "" means Dismiss.
	Then   Action
	Reason string
}

// hold returns the validated terms of a verdict that keeps the dialog, with a
// note on everything in it that could not be taken as it was.
func (v Verdict) hold(fallback time.Duration) (timeout time.Duration, then Action, note string) {
	switch {
	case v.Timeout <= 0:
		timeout = fallback
	case v.Timeout > MaxTimeout:
		timeout, note = MaxTimeout, fmt.Sprintf("the policy's timeout was cut to %s", MaxTimeout)
	default:
		timeout = v.Timeout
	}
	switch v.Then {
	case Accept, Dismiss:
		then = v.Then
	case "":
		then = Dismiss
	default:
		then, note = Dismiss, fmt.Sprintf("the policy's then %q is unknown: dismiss", clip(string(v.Then), noteCap))
	}
	return timeout, then, note
}
