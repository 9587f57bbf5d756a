package dialog_test

import (
	"fmt"
	"testing"

	"cdphost/host/dialog"
	"cdphost/sdk/fault"
)

func TestAnswer(t *testing.T) {
	t.Parallel()
	q := queue()
	id := held(t, q, native("T"))
	s := answer(t, q, "", "accept")
	if s.DialogID != id || s.SessionID != "ST" || !s.Accept || s.PromptText != nil || s.By != dialog.Agent || s.Frame != "T" || s.Target != "T" || s.Epoch != 1 {
		t.Errorf("send %+v", s)
	}
	wantState(t, q, id, dialog.Answering)
	if !q.Current(s) {
		t.Error("the answer may not be written")
	}
	c := q.Closed(at(1.1), "ST", "T", true, "")
	if c == nil || c.ID != id {
		t.Fatalf("closed %+v", c)
	}
	wantClosed(t, q, id, dialog.Agent, dialog.Accept, "")
	if q.Current(s) {
		t.Error("a closed dialog may be answered")
	}
	if c := q.Confirmed(at(1.2), s); c == nil || c.ClosedBy != dialog.Agent || len(q.Recent()) != 1 {
		t.Errorf("confirmed %+v", c)
	}
}

func TestPromptText(t *testing.T) {
	t.Parallel()
	long := make([]byte, 5000)
	for i := range long {
		long[i] = 'x'
	}
	for _, tc := range []struct {
		name   string
		open   dialog.Opened
		action string
		text   *string
		want   *string
	}{
		{"the page's default", prompt("T", "blue"), "accept", nil, ptr("blue")},
		{"a default longer than is shown", prompt("T", string(long)), "accept", nil, ptr(string(long))},
		{"no default", prompt("T", ""), "accept", nil, ptr("")},
		{"empty on purpose", prompt("T", "blue"), "accept", ptr(""), ptr("")},
		{"text", prompt("T", "blue"), "accept", ptr("r\x00d\r\n"), ptr("r\x00d\r\n")},
		{"bytes that are no text", prompt("T", "blue"), "accept", ptr("\xff"), ptr("\uFFFD")},
		{"dismissed", prompt("T", "blue"), "dismiss", ptr("red"), nil},
		{"a confirm takes none", native("T"), "accept", ptr("red"), nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			q := queue()
			id := held(t, q, tc.open)
			s, err := q.Answer(at(1), id, tc.action, tc.text, dialog.Agent)
			if err != nil {
				t.Fatal(err)
			}
			if (s.PromptText == nil) != (tc.want == nil) || s.PromptText != nil && *s.PromptText != *tc.want {
				t.Errorf("prompt text %v, want %v", s.PromptText, tc.want)
			}
		})
	}
}

func TestAnswerErrors(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name       string
		arrange    func(*testing.T, *dialog.Queue)
		id, action string
		code       fault.Code
		text       string
	}{
		{"bad action", func(t *testing.T, q *dialog.Queue) { held(t, q, native("T")) }, "", "close",
			fault.InvalidArgument, `action must be "accept" or "dismiss", not "close"`},
		{"none pending", func(*testing.T, *dialog.Queue) {}, "", "accept", fault.NoDialog, "no dialog is pending"},
		{"none any more", func(t *testing.T, q *dialog.Queue) {
			held(t, q, native("T"))
			q.Closed(at(2.5), "ST", "", false, "")
		}, "", "accept", fault.NoDialog, "no dialog is pending; the last one, d-1, was closed by remote at 2022-04-15T05:20:02.500Z"},
		{"unknown", func(t *testing.T, q *dialog.Queue) {
			held(t, q, native("T"))
			q.Closed(at(2), "ST", "", false, "")
			held(t, q, native("U"))
		}, "d-9", "accept", fault.DialogNotFound, `there is no dialog "d-9": known are d-2, d-1`},
		{"unknown of none", func(*testing.T, *dialog.Queue) {}, "d-9\x00", "accept", fault.DialogNotFound, "there is no dialog \"d-9\uFFFD\": none is known"},
		{"ambiguous", func(t *testing.T, q *dialog.Queue) {
			held(t, q, native("T"))
			held(t, q, prompt("U", ""))
		}, "", "accept", fault.DialogAmbiguous, "2 dialogs are pending, name one with dialog_id: d-1 (confirm in t-T, held), d-2 (prompt in t-U, held)"},
		{"closed by another", func(t *testing.T, q *dialog.Queue) {
			held(t, q, native("T"))
			q.Closed(at(2), "ST", "", true, "")
		}, "d-1", "accept", fault.DialogClosed, "dialog d-1 was closed by remote (elsewhere) at 2022-04-15T05:20:02.000Z"},
		{"closed by an answer", func(t *testing.T, q *dialog.Queue) {
			q.Confirmed(at(2), answer(t, q, held(t, q, native("T")), "accept"))
		}, "d-1", "dismiss", fault.DialogClosed, "dialog d-1 was closed by agent at 2022-04-15T05:20:02.000Z"},
		{"being answered", func(t *testing.T, q *dialog.Queue) { answer(t, q, held(t, q, native("T")), "accept") }, "", "dismiss",
			fault.DialogClosed, "dialog d-1 is being answered by agent (accept) since 2022-04-15T05:20:01.000Z"},
		{"orphaned", func(t *testing.T, q *dialog.Queue) {
			held(t, q, native("T"))
			q.EpochEnded(at(1), 1)
		}, "d-1", "accept", fault.DialogOrphaned,
			"dialog d-1 can't be answered: the connection to the browser dropped while it was open; reload or navigate tab t-T to free the page"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			q := queue()
			tc.arrange(t, q)
			before := fmt.Sprint(q.Pending())
			s, err := q.Answer(at(3), tc.id, tc.action, nil, dialog.Agent)
			if s != nil {
				t.Errorf("an answer goes out: %+v", s)
			}
			wantCode(t, err, tc.code, tc.text)
			if fmt.Sprint(q.Pending()) != before {
				t.Error("the refused answer changed something")
			}
		})
	}
}

// TestTwoAnswers: of an agent, the policy and the watchdog exactly one wins.
func TestTwoAnswers(t *testing.T) {
	t.Parallel()
	q := queue()
	op := q.Open(t0, native("T"))
	s := answer(t, q, op.ID, "accept")
	if again, err := q.Decide(at(1), op.ID, op.Generation, dialog.Verdict{Do: dialog.DoDismiss}); again != nil || err != dialog.ErrStale { //nolint:errorlint // returned as it is
		t.Errorf("the policy answered too: %v, %v", again, err)
	}
	if due := q.Expired(at(1000)); len(due) != 0 {
		t.Errorf("the watchdog answered too: %v", due)
	}
	if _, err := q.Answer(at(1), op.ID, "dismiss", nil, dialog.Agent); fault.CodeOf(err) != fault.DialogClosed {
		t.Errorf("a second answer got %v", err)
	}
	q.Closed(at(1001), "ST", "T", true, "")
	wantClosed(t, q, op.ID, dialog.Agent, dialog.Accept, "")
	if q.Current(s) {
		t.Error("the answer is still current")
	}
}

// TestOldDialogIsNotUnknown: an answer to a dialog that has left the ring learns
// that it was closed.
func TestOldDialogIsNotUnknown(t *testing.T) {
	t.Parallel()
	q := queue()
	for range 300 {
		q.Confirmed(at(1), answer(t, q, held(t, q, native("T")), "accept"))
	}
	if n := len(q.Recent()); n != 20 {
		t.Errorf("%d recent dialogs", n)
	}
	if _, err := q.Answer(at(2), "d-100", "accept", nil, dialog.Agent); fault.CodeOf(err) != fault.DialogClosed {
		t.Errorf("answering d-100: %v", err)
	}
	if _, err := q.Answer(at(2), "d-2", "accept", nil, dialog.Agent); fault.CodeOf(err) != fault.DialogNotFound {
		t.Errorf("answering d-2: %v", err)
	}
}
