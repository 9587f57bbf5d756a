package sdk

import (
	"context"
	"time"
)

// DialogPolicy decides about dialogs. A verdict that comes after the host's
// patience (1 s) still counts while the dialog is held.
type DialogPolicy interface {
	Decide(ctx context.Context, req DialogRequest) (Verdict, error)
}

// DialogPolicyFunc is a DialogPolicy that is a function.
type DialogPolicyFunc func(ctx context.Context, req DialogRequest) (Verdict, error)

// Decide calls f.
func (f DialogPolicyFunc) Decide(ctx context.Context, req DialogRequest) (Verdict, error) {
	return f(ctx, req)
}

// DialogType is CDP's Page.DialogType.
type DialogType string

// The types of dialogs.
const (
	Alert        DialogType = "alert"
	Confirm      DialogType = "confirm"
	Prompt       DialogType = "prompt"
	BeforeUnload DialogType = "beforeunload"
)

// Dialog is an alert, confirm, prompt or beforeunload that blocks a page.
// Message and URL come from the page: untrusted text.
type Dialog struct {
	ID               string
	Type             DialogType
	Message          string
	MessageTruncated bool
	DefaultPrompt    string
	// URL is that of the frame that raised the dialog.
	URL       string
	FrameID   string
	TabID     string
	SessionID string
	OpenedAt  time.Time
	// Bridge names the bridge that made it; "" for a native dialog.
	Bridge string
}

// FrameKind is the place of a frame relative to its page's top frame.
type FrameKind string

// The kinds of frames.
const (
	FrameTop         FrameKind = "top"
	FrameSameProcess FrameKind = "same_process"
	FrameOOPIF       FrameKind = "oopif"
)

// DialogRequest is what a DialogPolicy is asked.
type DialogRequest struct {
	// Policy is the one to apply, of those in Info.Policies.
	Policy string
	Task   Task
	Dialog Dialog
	// TopURL is the url of the page's top frame.
	TopURL    string
	FrameKind FrameKind
}

// Action is what is done with a dialog.
type Action string

// The actions of a Verdict.
const (
	// Hold keeps the dialog for the agent.
	Hold Action = "hold"
	// Accept accepts it at once.
	Accept Action = "accept"
	// Dismiss dismisses it at once.
	Dismiss Action = "dismiss"
	// Ask holds it and asks the person behind the agent where the client can.
	Ask Action = "ask"
)

// Verdict is a DialogPolicy's answer.
type Verdict struct {
	Do Action
	// Text is for an accepted prompt; nil means the page's default text.
	Text *string
	// Timeout is how long Hold and Ask wait; 0 means the host's default.
	Timeout time.Duration
	// Then is what the watchdog does after Timeout: Accept or Dismiss; "" means
	// Dismiss.
	Then Action
	// Reason is kept in the record.
	Reason string
}
