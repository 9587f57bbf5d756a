package supervisor

import (
	"context"

	"cdphost/host/dialog"
)

// Policy decides what happens to a dialog that has just opened. It is asked
// outside every lock and may take its time: the dialog is held meanwhile, with
// its watchdog running, and a late verdict counts as long as the dialog is held.
//
// Decide may be called from several goroutines at once.
type Policy interface {
	Decide(ctx context.Context, req PolicyRequest) (dialog.Verdict, error)
}

// PolicyRequest is what a Policy is shown of a dialog.
type PolicyRequest struct {
	Task   Key
	Dialog dialog.Dialog
	// TopURL is the url of the page's top frame when the dialog opened.
	TopURL string
	// FrameKind tells where in the page the dialog was raised.
	FrameKind FrameKind
}

// DialogDecision is what a policy decided about a dialog.
type DialogDecision struct {
	ID     string `json:"id"`
	TabID  string `json:"tab_id"`
	Policy string `json:"policy"`
	// Do is dialog.DoHold or one of its likes.
	Do string `json:"do"`
	// Reason is the policy's own, such as the rule that matched.
	Reason string `json:"reason,omitempty"`
}

// FrameKind is the place of a frame relative to its page's top frame.
type FrameKind string

// The kinds of frames that a dialog rule can name.
const (
	FrameTop         FrameKind = "top"
	FrameSameProcess FrameKind = "same_process"
	FrameOOPIF       FrameKind = "oopif"
)
