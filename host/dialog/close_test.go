package dialog_test

import (
	"testing"

	"cdphost/host/dialog"
)

// TestClosedAttribution: who closed a dialog follows from the answer on its way and
// from what the browser says of the close.
func TestClosedAttribution(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		open   dialog.Opened
		action string
		text   *string
		hint   string
		result bool
		input  string

		by     dialog.ClosedBy
		want   dialog.Action
		reason string
	}{
		{"the agent's", native("T"), "accept", nil, "", true, "", dialog.Agent, dialog.Accept, ""},
		{"the agent's dismissal", native("T"), "dismiss", nil, "", false, "", dialog.Agent, dialog.Dismiss, ""},
		{"the agent's text", prompt("T", "d"), "accept", ptr("red"), "", true, "red", dialog.Agent, dialog.Accept, ""},
		{"the browser gives no text", prompt("T", "d"), "accept", ptr("red"), "", true, "", dialog.Agent, dialog.Accept, ""},
		{"another client was faster", native("T"), "accept", nil, "", false, "", dialog.Remote, dialog.Dismiss, dialog.ReasonElsewhere},
		{"another client's text", prompt("T", "d"), "accept", ptr("red"), "", true, "blue", dialog.Remote, dialog.Accept, dialog.ReasonElsewhere},
		{"nobody answered", native("T"), "", nil, "", true, "", dialog.Remote, dialog.Accept, dialog.ReasonElsewhere},
		{"navigation", native("T"), "", nil, dialog.ReasonNavigation, false, "", dialog.Remote, dialog.Dismiss, dialog.ReasonNavigation},
		{"close, the answer lost", native("T"), "accept", nil, dialog.ReasonClose, false, "", dialog.Remote, dialog.Dismiss, dialog.ReasonClose},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			q := queue()
			id := held(t, q, tc.open)
			if tc.action != "" {
				if _, err := q.Answer(at(1), id, tc.action, tc.text, dialog.Agent); err != nil {
					t.Fatal(err)
				}
			}
			if tc.hint != "" {
				q.Explain(target("T"), tc.hint)
			}
			if c := q.Closed(at(2), "ST", "T", tc.result, tc.input); c == nil {
				t.Fatal("nothing closed")
			}
			if c := wantClosed(t, q, id, tc.by, tc.want, tc.reason); c.UserInput != tc.input || c.ClosedAt != at(2) {
				t.Errorf("input %q at %v", c.UserInput, c.ClosedAt)
			}
		})
	}
}

// TestClosedMatch: a close event belongs to a native dialog of its session and, where
// it says so, of its frame.
func TestClosedMatch(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name           string
		open           dialog.Opened
		session, frame string
		want           bool
	}{
		{"session and frame", native("T"), "ST", "T", true},
		{"session alone", native("T"), "ST", "", true},
		{"the dialog has no frame", in(native("T"), ""), "ST", "T", true},
		{"another session", native("T"), "SU", "T", false},
		{"another frame", native("T"), "ST", "F", false},
		{"bridged", bridged("T", "T"), "ST", "T", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			q := queue()
			id := held(t, q, tc.open)
			if got := q.Closed(at(2), tc.session, tc.frame, true, ""); (got != nil) != tc.want {
				t.Errorf("closed %+v", got)
			}
			if _, pending := q.Lookup(id); pending == tc.want {
				t.Errorf("pending is %v", pending)
			}
		})
	}
}

// TestSuperseded follows what Chromium sends when an out-of-process frame opens a
// dialog while its page has one: Opening of the second, Closed of the first; the
// second can't be answered, and closes when the page is reloaded.
func TestSuperseded(t *testing.T) {
	t.Parallel()
	for _, frameID := range []string{"T", ""} {
		t.Run("frame "+frameID, func(t *testing.T) {
			t.Parallel()
			q := queue()
			first := held(t, q, native("T"))
			s := answer(t, q, first, "accept")
			op := q.Open(at(2), in(native("T"), "F"))
			if op.Decide || op.Send != nil || len(op.Superseded) != 1 {
				t.Errorf("opening %+v", op)
			}
			wantClosed(t, q, first, dialog.Remote, dialog.Dismiss, dialog.ReasonSuperseded)
			if q.Current(s) {
				t.Error("the first may still be answered")
			}
			if c := q.Closed(at(2.1), "ST", frameID, false, ""); c != nil {
				t.Errorf("the first one's close closed %s", c.ID)
			}
			wantState(t, q, op.ID, dialog.Orphaned)
			if c := q.Failed(at(2.2), s, dialog.NotShowing); c != nil {
				t.Errorf("the answer's failure closed %s", c.ID)
			}
			if !q.Free(at(3), op.ID, dialog.Agent) {
				t.Error("the orphan can't be freed")
			}
			if c := q.Closed(at(3.1), "ST", "F", false, ""); c == nil || c.ID != op.ID {
				t.Errorf("closed %+v", c)
			}
			wantClosed(t, q, op.ID, dialog.Agent, dialog.Dismiss, "")
		})
	}
}

// TestSupersedeChain: a third dialog frees the orphan and becomes the new one.
func TestSupersedeChain(t *testing.T) {
	t.Parallel()
	q := queue()
	held(t, q, native("T"))
	second := q.Open(at(1), in(native("T"), "F"))
	q.Closed(at(1), "ST", "T", false, "")
	third := q.Open(at(2), in(native("T"), "G"))
	wantClosed(t, q, second.ID, dialog.Remote, dialog.Dismiss, dialog.ReasonSuperseded)
	if c := q.Closed(at(2), "ST", "F", false, ""); c != nil {
		t.Errorf("closed %s", c.ID)
	}
	wantState(t, q, third.ID, dialog.Orphaned)
	if q.Len() != 1 {
		t.Errorf("%d pending", q.Len())
	}
}

// TestMissedClose: the same frame can't have two dialogs, so the first one must be
// over, and the second can be answered.
func TestMissedClose(t *testing.T) {
	t.Parallel()
	q := queue()
	first := held(t, q, native("T"))
	second := held(t, q, native("T"))
	wantClosed(t, q, first, dialog.Remote, dialog.Dismiss, dialog.ReasonSuperseded)
	if c := q.Closed(at(1), "ST", "T", true, ""); c == nil || c.ID != second {
		t.Errorf("closed %+v", c)
	}
}

// TestSeveralAtOnce: pages of different processes, and bridged dialogs anywhere, do
// not disturb each other.
func TestSeveralAtOnce(t *testing.T) {
	t.Parallel()
	q := queue()
	ids := []string{
		held(t, q, native("T")), held(t, q, native("U")), held(t, q, bridged("T", "T")), held(t, q, bridged("T", "F")), held(t, q, bridged("V", "V")),
	}
	if len(q.Pending()) != len(ids) || len(q.Recent()) != 0 {
		t.Fatalf("%d pending, %d closed", len(q.Pending()), len(q.Recent()))
	}
	s := answer(t, q, ids[3], "dismiss")
	if s.Bridge != "bridge-debugger" || string(s.BridgeState) != "F" {
		t.Errorf("send %+v", s)
	}
	q.Confirmed(at(1), s)
	wantClosed(t, q, ids[3], dialog.Agent, dialog.Dismiss, "")
	q.Closed(at(1), "SU", "U", true, "")
	wantClosed(t, q, ids[1], dialog.Remote, dialog.Accept, dialog.ReasonElsewhere)
	if q.Len() != 3 {
		t.Errorf("%d pending", q.Len())
	}
}

func TestGone(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		open    dialog.Opened
		reason  string
		tainted bool
	}{
		{"page closed", native("T"), dialog.ReasonClose, false},
		{"page navigated", in(native("T"), "F"), dialog.ReasonNavigation, false},
		{"page crashed", native("T"), dialog.ReasonCrash, false},
		{"frame removed", in(native("T"), "F"), dialog.ReasonFrameGone, true},
		{"frame crashed", in(native("T"), "F"), dialog.ReasonCrash, true},
		{"frame of a bridged one removed", bridged("T", "F"), dialog.ReasonFrameGone, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			q := queue()
			other := held(t, q, native("U"))
			id := held(t, q, tc.open)
			s := answer(t, q, id, "accept")
			if got := q.Gone(at(2), target("T"), tc.reason); len(got) != 1 || got[0].ID != id {
				t.Errorf("gone %+v", got)
			}
			wantClosed(t, q, id, dialog.Remote, "", tc.reason)
			if q.Current(s) {
				t.Error("a dialog whose frame is gone may be answered")
			}
			if c := q.Closed(at(2), "ST", "", true, ""); c != nil {
				t.Errorf("closed %s as well", c.ID)
			}
			wantState(t, q, other, dialog.Held)
			if q.Tainted("T") != tc.tainted {
				t.Errorf("tainted is %v", q.Tainted("T"))
			}
			op := q.Open(at(3), native("T"))
			if op.Decide == tc.tainted {
				t.Errorf("the next dialog: %+v", op)
			}
			q.Gone(at(4), target("T"), dialog.ReasonNavigation)
			q.Healed("T")
			if op := q.Open(at(5), native("T")); !op.Decide {
				t.Errorf("after healing: %+v", op)
			}
		})
	}
}
