package frame

import (
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// frameAttached: a frame was made, or one of another process is local again. In
// that case its target may still be there; it says no more that counts.
func (t *Table) frameAttached(sessionID string, params []byte) (Change, error) {
	var ev page.EventFrameAttached
	if err := decode(params, &ev); err != nil {
		return Change{}, err
	}
	id, parentID := string(ev.FrameID), string(ev.ParentFrameID)
	if id == "" {
		return Change{}, errNoFrame
	}
	f := t.ensure(sessionID, id, parentID)
	if f == nil || f.Top {
		return Change{}, nil
	}
	c := Change{Kind: Attached, Frame: id}
	f = t.adopt(f, parentID)
	if f.URL == "" {
		f = t.update(f, func(f *Frame) { f.URL = blank })
	}
	if f.OOPIF && f.SessionID != sessionID {
		f = t.commit(f)
		c.Gone = t.removeBelow(f)
		t.forget(f)
		t.update(f, func(f *Frame) {
			f.OOPIF, f.Crashed, f.SessionID = false, false, ""
			f.clearContexts()
		})
	}
	return c, nil
}

// frameNavigated: a frame shows another document; its old children are gone. A
// document that comes back from the back/forward cache brings its children along:
// those out of process have been attached already, of the others at most the
// execution contexts came; Page.getFrameTree tells the rest.
func (t *Table) frameNavigated(sessionID string, params []byte) (Change, error) {
	var ev page.EventFrameNavigated
	if err := decode(params, &ev); err != nil {
		return Change{}, err
	}
	if ev.Frame == nil || ev.Frame.ID == "" {
		return Change{}, errNoFrame
	}
	f, gone := t.subject(sessionID, ev.Frame)
	if f == nil {
		if f := t.get(string(ev.Frame.ID)); f != nil && f.before != nil {
			t.aside(f, func(f *Frame) { f.describe(ev.Frame, t.get(f.ParentID)) })
		}
		return Change{}, nil
	}
	f = t.here(sessionID, t.commit(f))
	restored := ev.Type == page.NavigationTypeBackForwardCacheRestore
	if restored {
		gone = append(gone, t.removeStaleBelow(f)...)
	} else if f.LoaderID == "" || f.LoaderID != string(ev.Frame.LoaderID) {
		gone = append(gone, t.removeBelow(f)...)
	}
	f = t.update(f, func(f *Frame) { f.describe(ev.Frame, t.get(f.ParentID)) })
	return Change{Kind: Navigated, Frame: f.ID, LoaderID: f.LoaderID, URL: f.URL, Gone: gone, Reseed: restored}, nil
}

// documentOpened: document.open() gave the document another URL.
func (t *Table) documentOpened(sessionID string, params []byte) (Change, error) {
	var ev page.EventDocumentOpened
	if err := decode(params, &ev); err != nil {
		return Change{}, err
	}
	if ev.Frame == nil || ev.Frame.ID == "" {
		return Change{}, errNoFrame
	}
	f, gone := t.subject(sessionID, ev.Frame)
	if f == nil {
		return Change{}, nil
	}
	f = t.update(f, func(f *Frame) { f.describe(ev.Frame, t.get(f.ParentID)) })
	return Change{Kind: Moved, Frame: f.ID, URL: f.URL, Gone: gone}, nil
}

// subject returns the frame that a document event is about, nil when the event
// comes from a process that the frame has left.
func (t *Table) subject(sessionID string, info *cdp.Frame) (f *Frame, gone []string) {
	id, parentID := string(info.ID), string(info.ParentID)
	if parentID == "" && t.root(sessionID).Top && (t.top().SessionID == sessionID || t.top().ID == "") {
		gone = t.setTop(id)
	}
	f = t.ensure(sessionID, id, parentID)
	if f == nil || t.stale(sessionID, f) {
		return nil, gone
	}
	return t.adopt(f, parentID), gone
}

// here takes a frame whose process no session reaches for one of its parent's
// process, when that process tells of its document.
func (t *Table) here(sessionID string, f *Frame) *Frame {
	if !f.OOPIF || f.SessionID != "" || t.sessions[sessionID] == "" || t.process(f.ParentID) != sessionID {
		return f
	}
	return t.update(f, func(f *Frame) { f.OOPIF = false })
}

// process is the session of the process that the frame id lives in, "" when none
// reaches it.
func (t *Table) process(id string) string {
	for f := t.get(id); f != nil; f = t.get(f.ParentID) {
		if f.SessionID != "" || f.OOPIF {
			return f.SessionID
		}
	}
	return ""
}

// stale reports whether an event of sessionID about f comes from a process that f
// has left: f has a session of its own, and it is another one.
func (t *Table) stale(sessionID string, f *Frame) bool {
	return !f.Top && f.SessionID != "" && f.SessionID != sessionID
}

func (t *Table) navigatedWithinDocument(sessionID string, params []byte) (Change, error) {
	var ev page.EventNavigatedWithinDocument
	if err := decode(params, &ev); err != nil {
		return Change{}, err
	}
	if ev.FrameID == "" {
		return Change{}, errNoFrame
	}
	f := t.ensure(sessionID, string(ev.FrameID), "")
	if f == nil || t.stale(sessionID, f) {
		return Change{}, nil
	}
	f = t.update(f, func(f *Frame) { f.URL = text(ev.URL, urlCap) })
	return Change{Kind: Moved, Frame: f.ID, URL: f.URL, LoaderID: f.LoaderID}, nil
}

// frameDetached: with reason "remove" the frame is gone. With "swap" it moved to
// another process, whose target has been attached and has navigated before this
// comes: nothing may be deleted then. A process's own word that it let a frame go
// says nothing about the frame.
func (t *Table) frameDetached(sessionID string, params []byte) (Change, error) {
	var ev page.EventFrameDetached
	if err := decode(params, &ev); err != nil {
		return Change{}, err
	}
	f := t.get(string(ev.FrameID))
	if f == nil || f.Top || (f.SessionID != "" && f.SessionID == sessionID) {
		return Change{}, nil
	}
	if ev.Reason == page.FrameDetachedReasonSwap {
		c := Change{Kind: Swapped, Frame: f.ID}
		f = t.commit(f)
		if f.SessionID == "" {
			c.Gone = t.removeBelow(f)
			t.forgetContexts(f)
			t.update(f, func(f *Frame) {
				f.OOPIF = true
				f.clearContexts()
			})
		}
		return c, nil
	}
	i := t.position(f)
	return Change{Kind: Removed, Frame: f.ID, Gone: t.removeAt(i, t.end(i))}, nil
}

// removeStaleBelow takes out the descendants of f that have neither a session nor
// an execution context, and hold no frame that does: those of the document before.
func (t *Table) removeStaleBelow(f *Frame) (gone []string) {
	start := t.position(f)
	for i := t.end(start) - 1; i > start; i-- {
		end := t.end(i)
		keep := false
		for _, it := range t.order[i:end] {
			keep = keep || it.SessionID != "" || it.defaultKey != ""
		}
		if !keep {
			gone = append(gone, t.removeAt(i, end)...)
		}
	}
	return gone
}

// targetCrashed: the process of a session died, and with it everything below its
// frame.
func (t *Table) targetCrashed(sessionID string) Change {
	f := t.get(t.sessions[sessionID])
	if f == nil {
		return Change{}
	}
	t.clearContexts(sessionID)
	gone := t.removeBelow(t.get(f.ID))
	t.update(t.get(f.ID), func(f *Frame) { f.Crashed = true })
	return Change{Kind: Crashed, Frame: f.ID, Gone: gone}
}

func (t *Table) targetReloaded(sessionID string) Change {
	f := t.get(t.sessions[sessionID])
	if f == nil {
		return Change{}
	}
	t.update(f, func(f *Frame) { f.Crashed = false })
	return Change{Kind: Revived, Frame: f.ID}
}
