package supervisor_test

import (
	"context"
	"slices"
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/supervisor"
)

// isDiscarded waits until a tab is known to have been discarded, and checks what is left
// of it.
func isDiscarded(t *testing.T, s *supervisor.Supervisor, p *supervisor.Page) *supervisor.Page {
	t.Helper()
	q := wait(t, s, p.TabID, "the tab to be discarded, with a session", func(q *supervisor.Page) bool { return q.Discarded && q.SessionID != "" })
	if q.TargetID == p.TargetID || q.SessionID == p.SessionID || q.URL != p.URL || q.Title != p.Title || q.Ready || q.Crashed || q.Frames.Len() != 1 {
		t.Errorf("page = %+v, was %+v", q, p)
	}
	if want := []string{"the browser has discarded it to save memory; navigate or reload it to have it back"}; !slices.Equal(q.Degraded, want) {
		t.Errorf("degraded: %q, want %q", q.Degraded, want)
	}
	if snap := s.Snapshot(); snap.Current != p.TabID || len(snap.Lost) != 0 {
		t.Errorf("current %s, lost %v", snap.Current, snap.Lost)
	}
	return q
}

// isBack waits until a discarded tab that is being loaded again is usable.
func isBack(t *testing.T, s *supervisor.Supervisor, q *supervisor.Page) {
	t.Helper()
	back := wait(t, s, q.TabID, "the page to be back", func(r *supervisor.Page) bool {
		return !r.Discarded && r.Ready && len(r.Degraded) == 0 && r.LoadedLoader == r.LoaderID && r.LoaderID != ""
	})
	if back.TargetID != q.TargetID || back.SessionID != q.SessionID {
		t.Errorf("page = %+v, was %+v", back, q)
	}
	page := asks(s, back.SessionID, `confirm("?")`)
	if d := pending(t, s, dialog.Confirm); d.TabID != q.TabID {
		t.Errorf("the dialog is on %s", d.TabID)
	}
	answer(t, s, supervisor.DialogAnswer{Action: "accept"})
	if v := got(t, page); v != "true" {
		t.Errorf("the page saw %q", v)
	}
}

// TestDiscardedPage: the tab keeps its id, its dialogs are over, its frames are gone, and
// a reload brings it back.
func TestDiscardedPage(t *testing.T) {
	t.Parallel()
	m := cdptest.New(t, cdptest.Options{})
	m.Serve("http://a.test/", cdptest.Document{Title: "one", Frames: []string{"http://b.test/"}})
	r := ownRegistry(t, quick(t))
	s := taskOn(t, r, m.URL(), supervisor.Settings{})
	p := open(t, s, "http://a.test/")
	frameAt(t, s, p.TabID, "http://b.test/")
	p = wait(t, s, p.TabID, "its title", func(q *supervisor.Page) bool { return q.Title == "one" })
	before := len(m.Pages())
	start(s, p.SessionID, `confirm("open")`)
	d := pending(t, s, dialog.Confirm)
	m.Page(p.TargetID).Discard()
	q := isDiscarded(t, s, p)
	if n := len(s.Snapshot().Pages); n != 1 {
		t.Errorf("%d pages", n)
	}
	if x, ok := s.Snapshot().Closed(d.ID); !ok || x.ClosedBy != dialog.Remote || x.Action != dialog.Dismiss || len(s.Snapshot().Pending) != 0 {
		t.Errorf("the dialog: %+v, pending %v", x, s.Snapshot().Pending)
	}
	if err := s.Reload(bound(t), q.TabID); err != nil {
		t.Fatal(err)
	}
	isBack(t, s, q)
	frameAt(t, s, p.TabID, "http://b.test/")
	r.Stop(context.Background(), s.Key())
	eventually(t, "the page is closed with its task", func() bool { return len(m.Pages()) == before-1 })
}

// TestDiscardedWhileDisconnected: a browser discards the pages that nobody is attached
// to. The one that is in a task's own browser context is found again.
func TestDiscardedWhileDisconnected(t *testing.T) {
	t.Parallel()
	m := cdptest.New(t, cdptest.Options{})
	m.Serve("http://a.test/", cdptest.Document{Title: "one"})
	s, proxy, gate := gatedLine(t, carrier{ws: m.URL()}, quick(t))
	p := open(t, s, "http://a.test/")
	p = wait(t, s, p.TabID, "its title", func(q *supervisor.Page) bool { return q.Title == "one" })
	proxy.Drop()
	until(t, s, "the drop to be noticed", func(snap *supervisor.Snapshot) bool { return !snap.Connected })
	m.Page(p.TargetID).Discard()
	close(gate)
	q := isDiscarded(t, s, p)
	call(t, s, q.SessionID, "Page.navigate", cdptest.M{"url": "http://a.test/"})
	isBack(t, s, q)
}
