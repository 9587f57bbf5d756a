package supervisor_test

import (
	"encoding/json"
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/frame"
	"cdphost/host/supervisor"
)

// TestReadingABlockedTaskSendsNothing: while a dialog holds a page, everything
// that reads state answers, and the browser hears of none of it.
func TestReadingABlockedTaskSendsNothing(t *testing.T) {
	t.Parallel()
	m := cdptest.New(t, cdptest.Options{})
	m.Serve("http://a.test/", cdptest.Document{Title: "shop", Frames: []string{"http://a.test/f", "http://b.test/"}})
	r := ownRegistry(t, quick(t))
	s := taskOn(t, r, m.URL(), supervisor.Settings{})
	p, mp := newPage(t, m, s)
	mp.Navigate("http://a.test/")
	wait(t, s, p.TabID, "its title and frames", func(p *supervisor.Page) bool {
		return p.Title == "shop" && p.Frames.Len() == 3 && p.LoadedLoader == p.LoaderID
	})
	mp.OpenDialog("prompt", "name?", "nobody")
	d := pending(t, s, dialog.Prompt)
	until(t, s, "the policy's verdict", func(snap *supervisor.Snapshot) bool {
		x, ok := snap.Dialog(d.ID)
		return ok && !x.Deciding
	})

	// What was sent while the page went on is in the record before this.
	s.Post(newCommand("Browser.getVersion"), nil)
	m.MustReceive(t, "Browser.getVersion", 2)
	before := len(m.Sent(""))
	snap := s.Snapshot()
	q, ok := snap.CurrentPage()
	if !ok || q.Title != "shop" || q.URL != "http://a.test/" || q.BlockedBy != d.ID {
		t.Errorf("page = %+v", q)
	}
	if by, blocked := snap.Blocked(p.TabID); !blocked || by.Message != "name?" || by.DefaultPrompt != "nobody" {
		t.Errorf("blocked by %+v", by)
	}
	if tree, err := json.Marshal(q.Frames.Tree(frame.Limits{MaxChildren: 30, MaxOOPIFDepth: 2})); err != nil || len(tree) < 100 {
		t.Errorf("tree = %s, %v", tree, err)
	}
	if _, err := json.Marshal(snap); err != nil {
		t.Error(err)
	}
	if _, ok := r.Get(s.Key()); !ok {
		t.Error("Get")
	}
	if !s.OwnsTarget(p.TargetID) || !s.OwnsSession(p.SessionID) || s.ContextID() == "" {
		t.Error("ownership")
	}
	_, _ = s.TargetOf(p.SessionID)
	_, _, _ = snap.Frame(p.TargetID)
	s.Console()
	s.StandbyReady(p.TabID)
	r.Tasks("")
	s.Subscribe(supervisor.Filter{Methods: []string{"Page.*"}}, 1).Close()
	s.SetCurrent(p.TabID)

	// Whatever had been sent would be in the record before this.
	s.Post(newCommand("Browser.getVersion"), nil)
	m.MustReceive(t, "Browser.getVersion", 3)
	if sent := m.Sent("")[before:]; len(sent) != 1 {
		t.Errorf("reading sent %d commands: %v", len(sent)-1, sent)
	}
}

func TestSnapshotReadAllocatesNothing(t *testing.T) { //nolint:paralleltest // others would allocate meanwhile
	m := cdptest.New(t, cdptest.Options{})
	s := taskOn(t, ownRegistry(t, quick(t)), m.URL(), supervisor.Settings{})
	p, mp := newPage(t, m, s)
	mp.OpenDialog("alert", "open", "")
	pending(t, s, dialog.Alert)
	if n := testing.AllocsPerRun(1000, func() {
		snap := s.Snapshot()
		if q, ok := snap.Page(p.TabID); !ok || q.BlockedBy == "" || len(snap.Pending) != 1 {
			t.Error("snapshot")
		}
	}); n != 0 {
		t.Errorf("a read allocates %v times", n)
	}
}

// Whoever answered a dialog does not see it pending afterwards.
func TestAnsweredDialogIsNotPending(t *testing.T) {
	t.Parallel()
	m := cdptest.New(t, cdptest.Options{})
	s := taskOn(t, ownRegistry(t, quick(t)), m.URL(), supervisor.Settings{FloodPerSecond: 1 << 20})
	_, mp := newPage(t, m, s)
	for range 300 {
		mp.OpenDialog("alert", "again", "")
		d := pending(t, s, dialog.Alert)
		if _, err := s.AnswerDialog(bound(t), supervisor.DialogAnswer{ID: d.ID, Action: "accept", By: dialog.Agent}); err != nil {
			t.Fatal(err)
		}
		if left := s.Snapshot().Pending; len(left) != 0 {
			t.Fatalf("pending is still %+v", left)
		}
	}
}
