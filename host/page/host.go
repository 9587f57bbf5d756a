package page

import (
	"context"
	"encoding/json"
)

// Host is what the package needs of a task: its state, its connection and its
// pages. Implementations are safe for concurrent use.
type Host interface {
	// Call sends one CDP command; an empty session means the browser. When ctx
	// ends after the command was sent, late (if not nil) is called once with
	// the reply, should one still come; it must not block. The browser's
	// refusals are *cdp.Error in the chain.
	Call(ctx context.Context, session, method string, params any, late func(json.RawMessage, error)) (json.RawMessage, error)

	// State returns what is known now, without asking the browser.
	State() *State

	// Changed returns a channel that is closed at the next change of State.
	// Take it before State, so that no change falls in between.
	Changed() <-chan struct{}

	// OpenPage makes a page at about:blank and returns its tab id.
	OpenPage(ctx context.Context, background bool) (tabID string, err error)

	// ClosePage closes a page, also one with a dialog.
	ClosePage(ctx context.Context, tabID string) error

	// SetCurrent makes a page the one that actions without tab id mean.
	SetCurrent(tabID string)
}

// State is an immutable view of a task.
type State struct {
	Current string
	Tabs    []Tab
	// Lost says why the task has no browser any more; "" while it has one.
	Lost string
}

// Tab is a page of the task.
type Tab struct {
	ID       string
	Session  string
	URL      string
	Title    string
	Opener   string
	LoaderID string
	// Loading is true from the start of a load to its end, Loaded once the
	// document LoaderID has had its load event.
	Loading bool
	Loaded  bool
	Crashed bool
	// Blocked is the dialog that holds the page, nil when none does.
	Blocked *Dialog
	// Frames are in document order, the top frame first.
	Frames []Frame
}

// Dialog is a pending dialog: what an error needs to know of it, and what a
// reply shows.
type Dialog struct {
	ID   string
	Type string
	// Readable tells that the page can be looked at while the dialog holds it.
	Readable bool
	// Orphaned tells that nobody can answer it: only leaving the page frees it.
	Orphaned bool
	Show     any
}

// Frame is a frame of a page. Session is the one to address it on: its own, or
// that of the nearest ancestor that has one.
type Frame struct {
	ID       string
	ParentID string
	Session  string
	URL      string
	Origin   string
	LoaderID string
	// Context is the unique id of the frame's own execution context, when known.
	Context string
}

// Tab returns the page with an id.
func (s *State) Tab(id string) (*Tab, bool) {
	for i := range s.Tabs {
		if s.Tabs[i].ID == id {
			return &s.Tabs[i], true
		}
	}
	return nil, false
}

// Top returns the top frame; its zero value when the page has none yet.
func (t *Tab) Top() Frame {
	if len(t.Frames) == 0 {
		return Frame{}
	}
	return t.Frames[0]
}

// Frame returns the frame with an id.
func (t *Tab) Frame(id string) (Frame, bool) {
	for _, f := range t.Frames {
		if f.ID == id {
			return f, true
		}
	}
	return Frame{}, false
}
