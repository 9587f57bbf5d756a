package dialog_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"cdphost/host/dialog"
)

func TestVerdicts(t *testing.T) {
	t.Parallel()
	type want struct {
		send     bool
		accept   bool
		deadline float64 // seconds
		then     dialog.Action
		ask      bool
		note     string
	}
	for _, tc := range []struct {
		name    string
		verdict dialog.Verdict
		want    want
	}{
		{"hold", dialog.Verdict{Do: "hold"}, want{deadline: 300, then: dialog.Dismiss}},
		{"hold for a while, then accept", dialog.Verdict{Do: "hold", Timeout: 5 * time.Second, Then: dialog.Accept}, want{deadline: 5, then: dialog.Accept}},
		{"ask", dialog.Verdict{Do: "ask", Timeout: 60 * time.Second}, want{deadline: 60, then: dialog.Dismiss, ask: true}},
		{"accept", dialog.Verdict{Do: "accept"}, want{send: true, accept: true}},
		{"dismiss", dialog.Verdict{Do: "dismiss"}, want{send: true}},
		{"unknown", dialog.Verdict{Do: "explode\x1b"}, want{deadline: 300, then: dialog.Dismiss, note: "the policy's verdict \"explode\uFFFD\" is unknown: hold"}},
		{"empty", dialog.Verdict{}, want{deadline: 300, then: dialog.Dismiss, note: `the policy's verdict "" is unknown: hold`}},
		{"unknown then", dialog.Verdict{Do: "hold", Then: "explode"}, want{deadline: 300, then: dialog.Dismiss, note: `the policy's then "explode" is unknown: dismiss`}},
		{"negative timeout", dialog.Verdict{Do: "hold", Timeout: -1}, want{deadline: 300, then: dialog.Dismiss}},
		{"endless timeout", dialog.Verdict{Do: "hold", Timeout: 1 << 62}, want{deadline: 86400, then: dialog.Dismiss, note: "the policy's timeout was cut to 24h0m0s"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			q := queue()
			op := q.Open(t0, native("T"))
			if d := wantState(t, q, op.ID, dialog.Held); !d.Deciding || d.Deadline != at(300) {
				t.Errorf("undecided: %+v", d)
			}
			s, err := q.Decide(at(2), op.ID, op.Generation, tc.verdict)
			if err != nil {
				t.Fatal(err)
			}
			if (s != nil) != tc.want.send || s != nil && (s.Accept != tc.want.accept || s.By != dialog.AutoPolicy) {
				t.Errorf("send %+v", s)
			}
			d, _ := q.Lookup(op.ID)
			if d.Deciding {
				t.Error("still deciding")
			}
			if s == nil && (d.Deadline != at(tc.want.deadline) || d.Then != tc.want.then || d.Ask != tc.want.ask || d.Note != tc.want.note) {
				t.Errorf("deadline %v then %s ask %v note %q", d.Deadline, d.Then, d.Ask, d.Note)
			}
		})
	}
}

func TestLateVerdicts(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		do    func(q *dialog.Queue, op dialog.Opening)
		stale bool
	}{
		{"after the policy's time", func(*dialog.Queue, dialog.Opening) {}, false},
		{"after a hold", func(q *dialog.Queue, op dialog.Opening) {
			_, _ = q.Decide(at(1), op.ID, op.Generation, dialog.Verdict{Do: "hold"})
		}, false},
		{"closed", func(q *dialog.Queue, _ dialog.Opening) { q.Closed(at(1), "ST", "T", true, "") }, true},
		{"being answered", func(q *dialog.Queue, op dialog.Opening) {
			_, _ = q.Answer(at(1), op.ID, "accept", nil, dialog.Agent)
		}, true},
		{"orphaned", func(q *dialog.Queue, _ dialog.Opening) { q.EpochEnded(at(1), 1) }, true},
		{"another policy", func(q *dialog.Queue, _ dialog.Opening) { q.Redecide() }, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			q := queue()
			op := q.Open(t0, native("T"))
			tc.do(q, op)
			s, err := q.Decide(at(2), op.ID, op.Generation, dialog.Verdict{Do: "accept"})
			if errors.Is(err, dialog.ErrStale) != tc.stale || (s == nil) != tc.stale {
				t.Errorf("late verdict: %+v, %v", s, err)
			}
		})
	}
}

func TestRedecide(t *testing.T) {
	t.Parallel()
	q := queue()
	a := held(t, q, native("A"))
	b := held(t, q, bridged("B", "B"))
	c := held(t, q, native("C"))
	answer(t, q, c, "accept")
	again := q.Redecide()
	if len(again) != 2 || again[0].ID != a || again[1].ID != b || !again[0].Deciding || again[0].Deadline != at(300) {
		t.Fatalf("to decide anew: %+v", again)
	}
	g := q.Generation()
	if un := q.Undecided(g); len(un) != 2 {
		t.Errorf("undecided: %+v", un)
	}
	if _, err := q.Decide(at(5), a, g, dialog.Verdict{Do: "hold", Timeout: 7 * time.Second}); err != nil {
		t.Fatal(err)
	}
	if un := q.Undecided(g); len(un) != 1 || un[0].ID != b {
		t.Errorf("undecided: %+v", un)
	}
	if d, _ := q.Lookup(a); d.Deadline != at(7) {
		t.Errorf("the deadline is %v, not seven seconds after the opening", d.Deadline)
	}
	if op := q.Open(at(6), native("D")); op.Generation != g {
		t.Errorf("generation %d, want %d", op.Generation, g)
	}
	if un := q.Undecided(g - 1); len(un) != 0 {
		t.Errorf("undecided of the old policy: %+v", un)
	}
}

func TestPolicyReasonIsKept(t *testing.T) {
	t.Parallel()
	q := queue()
	op := q.Open(t0, native("T"))
	s, err := q.Decide(at(1), op.ID, op.Generation, dialog.Verdict{Do: "accept", Reason: strings.Repeat("r", 900)})
	if err != nil {
		t.Fatal(err)
	}
	c := q.Confirmed(at(1), s)
	if len(c.Answer.Note) != 500 {
		t.Errorf("the reason has %d characters", len(c.Answer.Note))
	}
}
