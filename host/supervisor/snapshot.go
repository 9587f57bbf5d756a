package supervisor

import (
	"time"

	"cdphost/host/dialog"
	"cdphost/host/frame"
)

// Snapshot is an immutable value of all of a task's state. Nothing in it may be
// changed.
type Snapshot struct {
	Task Key
	// Seq grows by one with every publication.
	Seq uint64
	// Epoch is the attachment of the link that the sessions below belong to.
	Epoch     uint64
	Connected bool
	Pages     []*Page // in the order they were opened
	Current   string  // tab id of the page used when none is named; "" without pages
	Pending   []dialog.Dialog
	Recent    []dialog.Closed
	Backend   Backend
	// Lost tells of pages that ended with their browser, newest last.
	Lost []LostPage
}

// Backend says what serves the task.
type Backend struct {
	Kind         string          `json:"kind"`
	Product      string          `json:"product,omitempty"`
	Capabilities map[string]bool `json:"capabilities"`
	Degraded     []string        `json:"degraded,omitempty"`
}

// LostPage is a page that ended without anybody closing it.
type LostPage struct {
	TabID  string    `json:"tab_id"`
	URL    string    `json:"url"`
	Reason string    `json:"reason"`
	At     time.Time `json:"at"`
}

// Page is a top-level target of a task. Immutable.
type Page struct {
	TabID     string
	TargetID  string
	SessionID string // "" while no session is attached
	ContextID string
	URL       string
	Title     string
	OpenerTab string // tab id of the page that opened it, "" without opener
	LoaderID  string // document in the top frame
	// LoadedLoader and DOMLoader are the loader ids whose load and
	// DOMContentLoaded events have fired last.
	LoadedLoader string
	DOMLoader    string
	Navigations  uint64 // documents committed in the top frame so far
	Loading      bool   // between Page.frameStartedLoading and Page.frameStoppedLoading of the top frame
	Crashed      bool
	// Discarded is true while the browser keeps the page without a renderer, to save
	// memory: what asks its document gets no answer until it is navigated or reloaded.
	Discarded bool
	Prerender bool
	// BlockedBy is the id of the dialog that blocks the page's thread, its own or
	// one of a page in the same process; "" when it runs.
	BlockedBy string
	// NeedsReload is set when a dialog's frame went away while the dialog was
	// open: the page must navigate before its dialogs can be watched again.
	NeedsReload bool
	// LateInit is true when init scripts may have come after the page's own first
	// script.
	LateInit bool
	// Ready is true once the session's set-up was answered.
	Ready    bool
	Degraded []string
	Frames   *frame.Frozen
}

// Page returns the page with a tab id.
func (s *Snapshot) Page(tabID string) (*Page, bool) {
	for _, p := range s.Pages {
		if p.TabID == tabID {
			return p, true
		}
	}
	return nil, false
}

// CurrentPage returns the page used when none is named.
func (s *Snapshot) CurrentPage() (*Page, bool) { return s.Page(s.Current) }

// PageByTarget returns the page with a target id.
func (s *Snapshot) PageByTarget(id string) (*Page, bool) {
	for _, p := range s.Pages {
		if p.TargetID == id {
			return p, true
		}
	}
	return nil, false
}

// Blocked returns the dialog that blocks a page.
func (s *Snapshot) Blocked(tabID string) (*dialog.Dialog, bool) {
	p, ok := s.Page(tabID)
	if !ok || p.BlockedBy == "" {
		return nil, false
	}
	return s.Dialog(p.BlockedBy)
}

// Dialog returns the pending dialog with an id.
func (s *Snapshot) Dialog(id string) (*dialog.Dialog, bool) {
	for i := range s.Pending {
		if s.Pending[i].ID == id {
			return &s.Pending[i], true
		}
	}
	return nil, false
}

// Closed returns the closed dialog with an id, if the ring still holds it.
func (s *Snapshot) Closed(id string) (*dialog.Closed, bool) {
	for i := len(s.Recent) - 1; i >= 0; i-- {
		if s.Recent[i].ID == id {
			return &s.Recent[i], true
		}
	}
	return nil, false
}

// Frame finds a frame by id in all pages.
func (s *Snapshot) Frame(id string) (*Page, frame.Frame, bool) {
	for _, p := range s.Pages {
		if p.Frames == nil {
			continue
		}
		if f, ok := p.Frames.Lookup(id); ok {
			return p, f, true
		}
	}
	return nil, frame.Frame{}, false
}
