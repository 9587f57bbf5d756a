package link

import (
	"encoding/json"

	"cdphost/host/cdp"
)

// View is a task's side of a link. The link calls it in event order on the
// connection's reader goroutine, EpochBegan and EpochEnded on its own goroutine
// while no event is delivered, and Reconciled on its own goroutine at any time;
// so a View locks its state. Join calls EpochBegan on its caller's goroutine, so a
// View ignores what it hears of an epoch earlier than the one it knows. The link
// holds no lock meanwhile, and nothing in a View may wait.
type View interface {
	// EpochBegan says that the link is attached. With fresh set, it is another
	// browser than before: contexts and pages of the old one are gone.
	EpochBegan(epoch uint64, fresh bool)
	// Reconciled ends the re-attachment of an epoch: pages that are not in alive
	// (target ids) went away while nobody was attached.
	Reconciled(epoch uint64, alive map[string]bool)
	// CapabilitiesChanged says that Link.Capabilities has something new. It comes
	// on any goroutine.
	CapabilitiesChanged()
	// EpochEnded says that the connection is gone, with the reason. lost is true
	// when the link gave up and will not come back.
	EpochEnded(epoch uint64, err error, lost bool)

	// Setup returns the commands that the task needs on a new session beyond the
	// link's own, in order, without session ids: init scripts, interception.
	Setup(t Target) []cdp.Command
	// Attached says that a page or an iframe has a session; its set-up is on the
	// way. Replies to the set-up follow through SetupReply.
	Attached(t Target)
	// SetupReply delivers what one command of the set-up answered. A failed step
	// is a degraded capability, not a failed attach.
	SetupReply(t Target, method string, result json.RawMessage, err error)
	// Ready says that every command of the set-up of a session was answered.
	Ready(t Target)
	// Stalled says that a page's set-up was not answered within
	// Options.SetupTimeout. Ready may still come.
	Stalled(t Target)
	// Detached says that a session is gone. Its calls in flight have been failed. For
	// a session of the standby (Target.Epoch is StandbyEpoch) it comes on a goroutine
	// of the standby's.
	Detached(t Target)
	// Crashed says that the renderer of a target is gone. The session stays.
	Crashed(targetID string)
	// Replaced says that the browser has discarded a page to save memory, and which
	// target is in its place. It has no renderer until it is navigated, reloaded or shown;
	// a session on it may follow.
	Replaced(targetID, by string)
	// TargetChanged delivers a page's url and title as the browser knows them.
	TargetChanged(targetID, url, title string)
	// Destroyed says that a page is closed.
	Destroyed(targetID string)
	// ExtraEvent delivers an event of a second session on a target, one that the
	// task itself asked for: it says nothing that Event does not say, and is only
	// for whoever asked.
	ExtraEvent(t Target, ev cdp.Event)
	// Event delivers any other event of one of the task's sessions. The params
	// are valid only during the call.
	Event(t Target, ev cdp.Event)
	// Overheard tells, on the standby's reader goroutine, of dialogs that the standby
	// saw: at once of an end, and of an opening while the link's own connection has no
	// session on the page; of the last one of each page when AskStandby asks.
	Overheard(heard []Overheard)
}

// Kind is what a target is to a link.
type Kind string

// The kinds of targets that a link attaches to.
const (
	KindPage   Kind = "page"
	KindIframe Kind = "iframe"
)

// Target describes one attached target of a member.
type Target struct {
	Kind      Kind
	Epoch     uint64
	SessionID string
	TargetID  string
	// PageID is the target id of the page that an iframe belongs to; for a page
	// it is its own target id.
	PageID string
	// ParentSession is the session that reported an iframe; "" for a page.
	ParentSession string
	// ParentFrameID is the id of the frame that holds an iframe.
	ParentFrameID string
	ContextID     string
	URL, Title    string
	// OpenerID and OpenerFrameID name who opened a popup; "" without opener.
	OpenerID, OpenerFrameID string
	// Subtype is "prerender" for a page that is not shown yet.
	Subtype string
	// Paused is true when the target was attached before its first script ran.
	Paused bool
}

// blank reports whether a new page stays empty until somebody navigates it, as one that
// the host makes does.
func (t *Target) blank() bool { return t.URL == "about:blank" && t.OpenerID == "" }
