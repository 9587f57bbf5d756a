package dialog_test

import (
	"testing"
	"time"

	"cdphost/host/dialog"
)

func TestFailed(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		fail   dialog.Failure
		closed bool
		state  dialog.State
	}{
		{"not sent", dialog.NotSent, false, dialog.Held},
		{"not showing", dialog.NotShowing, true, ""},
		{"unanswerable", dialog.Unanswerable, false, dialog.Orphaned},
		{"no reply", dialog.NoReply, false, dialog.Orphaned},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			q := queue()
			id := held(t, q, native("T"))
			s := answer(t, q, id, "accept")
			c := q.Failed(at(2), s, tc.fail)
			if (c != nil) != tc.closed {
				t.Errorf("closed %+v", c)
			}
			if q.Current(s) {
				t.Error("the failed answer is still current")
			}
			if tc.closed {
				wantClosed(t, q, id, dialog.Remote, "", dialog.ReasonNotShowing)
			} else {
				wantState(t, q, id, tc.state)
			}
			if again := q.Failed(at(3), s, tc.fail); again != nil {
				t.Errorf("failing twice closed %+v", again)
			}
			if due := q.Expired(at(10)); len(due) != 0 {
				t.Errorf("an agent's answer is sent again: %+v", due)
			}
		})
	}
}

// TestLateClose: an answer without a reply may have arrived; when the dialog closes
// accordingly, it did.
func TestLateClose(t *testing.T) {
	t.Parallel()
	q := queue()
	id := held(t, q, native("T"))
	q.Failed(at(2), answer(t, q, id, "accept"), dialog.NoReply)
	q.Closed(at(9), "ST", "T", true, "")
	wantClosed(t, q, id, dialog.Agent, dialog.Accept, "")

	id = held(t, q, native("T"))
	s := answer(t, q, id, "accept")
	q.Failed(at(2), s, dialog.NoReply)
	if c := q.Confirmed(at(3), s); c == nil || c.ClosedBy != dialog.Agent {
		t.Errorf("late reply: %+v", c)
	}

	id = held(t, q, native("T"))
	q.Failed(at(2), answer(t, q, id, "accept"), dialog.NoReply)
	q.Gone(at(9), target("T"), dialog.ReasonNavigation)
	wantClosed(t, q, id, dialog.Remote, "", dialog.ReasonNavigation)
}

// TestRetry: what must be sent is sent again after a while, in its own name.
func TestRetry(t *testing.T) {
	t.Parallel()
	q := queue()
	op := q.Open(t0, prompt("T", "d"))
	s, err := q.Decide(at(1), op.ID, op.Generation, dialog.Verdict{Do: dialog.DoAccept, Text: ptr("x")})
	if err != nil {
		t.Fatal(err)
	}
	q.Failed(at(2), s, dialog.NotSent)
	wantState(t, q, op.ID, dialog.Held)
	if next, ok := q.NextDeadline(); !ok || next != at(3) {
		t.Errorf("next deadline %v", next)
	}
	if due := q.Expired(at(2.9)); len(due) != 0 {
		t.Errorf("too early: %+v", due)
	}
	due := q.Expired(at(3))
	if len(due) != 1 || due[0].By != dialog.AutoPolicy || *due[0].PromptText != "x" {
		t.Fatalf("due %+v", due)
	}
	q.Failed(at(4), due[0], dialog.NotSent)
	if s := answer(t, q, op.ID, "dismiss"); s.Accept {
		t.Errorf("send %+v", s)
	}
	if due := q.Expired(at(100)); len(due) != 0 {
		t.Errorf("the agent has answered, still due: %+v", due)
	}
}

// TestDisowned: the browser says that it was not our answer that closed the dialog.
func TestDisowned(t *testing.T) {
	t.Parallel()
	q := queue()
	id := held(t, q, native("T"))
	s := answer(t, q, id, "accept")
	q.Closed(at(2), "ST", "T", true, "")
	before := q.Recent()
	c := q.Failed(at(2.1), s, dialog.NotShowing)
	if c == nil || c.ClosedBy != dialog.Remote {
		t.Fatalf("corrected %+v", c)
	}
	wantClosed(t, q, id, dialog.Remote, dialog.Accept, dialog.ReasonElsewhere)
	if before[0].ClosedBy != dialog.Agent {
		t.Error("a frozen record changed")
	}
	if c := q.Failed(at(3), s, dialog.NotShowing); c != nil {
		t.Errorf("corrected twice: %+v", c)
	}
}

func TestConfirmedUnknown(t *testing.T) {
	t.Parallel()
	q := queue()
	s := answer(t, q, held(t, q, native("T")), "accept")
	q.Failed(at(2), s, dialog.NotSent)
	if c := q.Confirmed(at(3), s); c != nil {
		t.Errorf("an answer that was not sent closed %+v", c)
	}
	if c := q.Confirmed(at(3), &dialog.Send{DialogID: "d-77"}); c != nil {
		t.Errorf("unknown dialog: %+v", c)
	}
}

func TestWatchdog(t *testing.T) {
	t.Parallel()
	q := dialog.NewQueue(dialog.Options{Timeout: 10 * time.Second})
	if _, ok := q.NextDeadline(); ok {
		t.Error("a deadline of nothing")
	}
	undecided := q.Open(t0, native("T"))
	kept := q.Open(at(1), prompt("U", "dflt"))
	if _, err := q.Decide(at(1), kept.ID, kept.Generation, dialog.Verdict{Do: dialog.DoHold, Timeout: 30 * time.Second, Then: dialog.Accept}); err != nil {
		t.Fatal(err)
	}
	if next, ok := q.NextDeadline(); !ok || next != at(10) {
		t.Errorf("next deadline %v", next)
	}
	if due := q.Expired(at(9.9)); len(due) != 0 {
		t.Errorf("too early: %+v", due)
	}
	due := q.Expired(at(10))
	if len(due) != 1 || due[0].DialogID != undecided.ID || due[0].Accept || due[0].By != dialog.Watchdog {
		t.Fatalf("due %+v", due)
	}
	if next, ok := q.NextDeadline(); !ok || next != at(31) {
		t.Errorf("next deadline %v", next)
	}
	q.Closed(at(10.1), "ST", "T", false, "")
	wantClosed(t, q, undecided.ID, dialog.Watchdog, dialog.Dismiss, "")
	due = q.Expired(at(31))
	if len(due) != 1 || !due[0].Accept || *due[0].PromptText != "dflt" {
		t.Fatalf("due %+v", due)
	}
	if _, ok := q.NextDeadline(); ok {
		t.Error("a deadline of what is being answered")
	}
}
