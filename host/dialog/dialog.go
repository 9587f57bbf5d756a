// Package dialog is the queue of one task's JavaScript dialogs: a pure state
// machine from opened over held, answering or orphaned to closed.
//
// It does no I/O and has no clock: times are arguments. Every dialog that was
// opened is either pending or closed exactly once, ids are never used again, at
// most one answer per dialog is on its way, and no answer is ever produced for a
// dialog that has been closed or whose frame is gone.
package dialog

import "time"

// Type is the kind of a dialog, in the words of CDP's Page.DialogType.
type Type string

// Types of dialogs.
const (
	Alert        Type = "alert"
	Confirm      Type = "confirm"
	Prompt       Type = "prompt"
	BeforeUnload Type = "beforeunload"
)

// State is what may still happen to a pending dialog.
type State string

const (
	// Held waits for an answer or for its deadline.
	Held State = "held"
	// Answering has an answer on its way that Chrome has not confirmed yet.
	Answering State = "answering"
	// Orphaned blocks its page but no session can answer it; only a navigation,
	// a reload or the end of the page frees it.
	Orphaned State = "orphaned"
)

// ClosedBy tells who closed a dialog.
type ClosedBy string

const (
	// Agent is an explicit answer.
	Agent ClosedBy = "agent"
	// AutoPolicy is a verdict of the dialog policy, or the flood breaker.
	AutoPolicy ClosedBy = "auto_policy"
	// Watchdog is the deadline.
	Watchdog ClosedBy = "watchdog"
	// Remote is anything that is not this host: another client, a navigation, the
	// end of the page, a second dialog.
	Remote ClosedBy = "remote"
)

// Action is an answer's direction.
type Action string

// The two actions of Page.handleJavaScriptDialog.
const (
	Accept  Action = "accept"
	Dismiss Action = "dismiss"
)

// Opened is what is known of a dialog when it opens.
type Opened struct {
	Type          Type
	Message       string
	DefaultPrompt string
	URL           string // of the dialog's frame
	FrameID       string // of the frame that called alert, confirm or prompt
	TargetID      string // of the page
	TabID         string
	SessionID     string // that emitted the event and takes the answer
	Epoch         uint64

	// Bridge names the bridge that made the dialog, "" for a native one.
	// BridgeState is the bridge's own, opaque and handed back with the answer.
	Bridge      string
	BridgeState []byte
	// Readable tells that the page can be looked at while the dialog holds it.
	Readable bool
}

// Dialog is a frozen view of a pending dialog. Its text is page-controlled: it is
// capped and free of control characters, but still not to be trusted.
type Dialog struct {
	ID string
	Opened
	MessageTruncated       bool
	DefaultPromptTruncated bool

	OpenedAt time.Time
	State    State
	// Deciding is true until the policy's verdict of this Generation is in.
	Deciding   bool
	Generation uint64

	// Deadline is when the watchdog does Then.
	Deadline time.Time
	Then     Action
	// Leaving tells that its document is being left, so the browser lets nobody answer
	// it. Only a navigation or the end of the page frees it.
	Leaving bool
	// Ask tells that the policy wants the user to be asked.
	Ask bool
	// Answer is what is on its way, or what was done last to free an orphan.
	Answer *Answer
	// Note says what was odd about the dialog's treatment, "" mostly.
	Note string
}

// Native reports whether the dialog is Chrome's own, as opposed to a bridged one.
func (o *Opened) Native() bool { return o.Bridge == "" }

// Answer is one attempt to close a dialog. It is never changed once made.
type Answer struct {
	Action Action
	Text   *string // of an accepted prompt
	By     ClosedBy
	At     time.Time
	Note   string
}
