package dialog

import "time"

// Reasons of a dialog that the page did not get an answer for from this host, or
// that the flood breaker dismissed.
const (
	ReasonNavigation = "navigation"
	ReasonClose      = "close"
	ReasonCrash      = "crash"
	ReasonDiscard    = "discard"     // the browser discarded the page to save memory
	ReasonSuperseded = "superseded"  // another process of the tab opened a dialog
	ReasonFrameGone  = "frame_gone"  // the frame that opened it was removed
	ReasonFlood      = "flood"       // too many a second
	ReasonDisconnect = "disconnect"  // the connection dropped; a bridge lets the page go on then
	ReasonNotShowing = "not_showing" // Chrome answered "No dialog is showing"
	ReasonLeft       = "left"        // its task ended, and the user of the page has it now
	ReasonReleased   = "released"    // its bridge was down: the page was left to the browser itself
	ReasonElsewhere  = "elsewhere"   // another client, or the browser itself
)

// Closed is a dialog that is over. ClosedBy, Action and Reason tell the truth as
// far as Chrome told it.
type Closed struct {
	Dialog
	ClosedAt time.Time
	ClosedBy ClosedBy
	// Action is what the page got, "" where it got nothing because it went away.
	Action    Action
	UserInput string
	Reason    string
	// Count over 1 marks the summary of a flood: this many dialogs, of which the
	// entry shows the first.
	Count int

	attempt uint64 // of the Send that is taken to have closed it
}
