package dialog_test

import (
	"strings"
	"testing"

	"cdphost/host/dialog"
)

func TestEpochEnded(t *testing.T) {
	t.Parallel()
	q := queue()
	plain := held(t, q, native("A"))
	answering := held(t, q, native("B"))
	s := answer(t, q, answering, "accept")
	bridgedID := held(t, q, bridged("C", "C"))
	later := native("D")
	later.Epoch = 2
	other := held(t, q, later)

	closed := q.EpochEnded(at(5), 1)
	if len(closed) != 1 || closed[0].ID != bridgedID {
		t.Fatalf("closed %+v", closed)
	}
	wantClosed(t, q, bridgedID, dialog.Remote, "", dialog.ReasonDisconnect)
	if d := wantState(t, q, plain, dialog.Orphaned); d.Deadline != at(300) {
		t.Errorf("the deadline became %v", d.Deadline)
	}
	wantState(t, q, answering, dialog.Orphaned)
	wantState(t, q, other, dialog.Held)
	if q.Current(s) {
		t.Error("an answer of the old connection may be written")
	}
}

// TestStandby: another connection that was there when the dialogs opened can still
// answer them.
func TestStandby(t *testing.T) {
	t.Parallel()
	q := queue()
	id := held(t, q, native("T"))
	q.EpochEnded(at(1), 1)
	got := q.Rebind(target("T"), "STANDBY", 2, true)
	if len(got) != 1 || got[0].State != dialog.Held || !got[0].Deciding || got[0].Deadline != at(300) || got[0].Note != "" {
		t.Fatalf("rebound %+v", got)
	}
	s := answer(t, q, id, "accept")
	if s.SessionID != "STANDBY" || s.Epoch != 2 {
		t.Errorf("send %+v", s)
	}
	if c := q.Closed(at(2), "STANDBY", "T", true, ""); c == nil {
		t.Error("the standby's event closed nothing")
	}
	wantClosed(t, q, id, dialog.Agent, dialog.Accept, "")
}

// TestNotRevived: what is an orphan for another reason than the drop stays one.
func TestNotRevived(t *testing.T) {
	t.Parallel()
	for name, arrange := range map[string]func(*dialog.Queue) string{
		"superseded": func(q *dialog.Queue) string {
			q.Open(t0, native("T"))
			id := q.Open(t0, in(native("T"), "F")).ID
			q.EpochEnded(at(1), 1)
			return id
		},
		"being freed": func(q *dialog.Queue) string {
			id := q.Open(t0, native("T")).ID
			q.EpochEnded(at(1), 1)
			q.Free(at(2), id, dialog.Agent)
			return id
		},
		"found blocked": func(q *dialog.Queue) string {
			id := q.Open(t0, native("T")).ID
			q.Orphan(target("T"), "it opened before the attach")
			return id
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := queue()
			id := arrange(q)
			q.Rebind(target("T"), "STANDBY", 2, true)
			if d := wantState(t, q, id, dialog.Orphaned); d.SessionID != "STANDBY" {
				t.Errorf("session %s", d.SessionID)
			}
		})
	}
}

// TestReconnected: a new session sees an orphan's close, no more.
func TestReconnected(t *testing.T) {
	t.Parallel()
	q := queue()
	id := held(t, q, native("T"))
	held(t, q, bridged("T", "F"))
	q.EpochEnded(at(1), 1)
	if got := q.Rebind(target("T"), "NEW", 2, false); len(got) != 1 || got[0].State != dialog.Orphaned {
		t.Fatalf("rebound %+v", got)
	}
	q.Explain(target("T"), dialog.ReasonNavigation)
	if c := q.Closed(at(2), "NEW", "T", false, ""); c == nil {
		t.Fatal("nothing closed")
	}
	wantClosed(t, q, id, dialog.Remote, dialog.Dismiss, dialog.ReasonNavigation)
}

// TestStuck: the watchdog can't answer an orphan, but it can have its page freed.
func TestStuck(t *testing.T) {
	t.Parallel()
	q := queue()
	id := held(t, q, native("T"))
	q.EpochEnded(at(1), 1)
	if next, ok := q.NextDeadline(); !ok || next != at(300) {
		t.Errorf("next deadline %v, %v", next, ok)
	}
	if got := q.Stuck(at(299)); len(got) != 0 {
		t.Errorf("too early: %+v", got)
	}
	if got := q.Expired(at(300)); len(got) != 0 {
		t.Errorf("an orphan is answered: %+v", got)
	}
	if got := q.Stuck(at(300)); len(got) != 1 || got[0].ID != id {
		t.Errorf("stuck %+v", got)
	}
	if got := q.Stuck(at(301)); len(got) != 0 {
		t.Errorf("told twice: %+v", got)
	}
	if _, ok := q.NextDeadline(); ok {
		t.Error("there is nothing to wait for")
	}
	q.Gone(at(301), target("T"), dialog.ReasonNavigation)
	wantClosed(t, q, id, dialog.Watchdog, dialog.Dismiss, dialog.ReasonNavigation)
	if q.Free(at(302), id, dialog.Agent) {
		t.Error("a closed dialog was freed")
	}
}

// TestMatches: a dialog that another session tells of is the pending one only when it
// looks the same, whatever has been cut off or cleaned up since.
func TestMatches(t *testing.T) {
	t.Parallel()
	q := queue()
	o := native("T")
	o.Type, o.Message, o.DefaultPrompt = dialog.Prompt, "a\x00"+strings.Repeat("x", 20000), "d\x00"
	id := q.Open(t0, o).ID
	for name, change := range map[string]func(*dialog.Opened){
		"another type":    func(o *dialog.Opened) { o.Type = dialog.Confirm },
		"another text":    func(o *dialog.Opened) { o.Message = "b" },
		"another default": func(o *dialog.Opened) { o.DefaultPrompt = "" },
		"another frame":   func(o *dialog.Opened) { o.FrameID = "F" },
		"another page":    func(o *dialog.Opened) { o.TargetID = "U" },
	} {
		other := o
		change(&other)
		if q.Matches(id, other) {
			t.Errorf("%s matches", name)
		}
	}
	o.SessionID, o.Epoch = "STANDBY", 0
	if !q.Matches(id, o) || q.Matches("d-99", o) {
		t.Error("the same one does not match, or one that is not pending does")
	}
	if bridgedID := q.Open(t0, bridged("T", "T")).ID; q.Matches(bridgedID, bridged("T", "T")) {
		t.Error("a bridged dialog matches")
	}
}
