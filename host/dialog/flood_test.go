package dialog_test

import (
	"fmt"
	"testing"

	"cdphost/host/dialog"
)

// TestFlood: of an endless loop of dialogs the first five of a second are treated
// as ever, the others are dismissed, and one entry stands for them.
func TestFlood(t *testing.T) {
	t.Parallel()
	q := dialog.NewQueue(dialog.Options{FloodPerSecond: 5})
	now := 0.0
	open := func(target string) dialog.Opening {
		now += 0.01
		return q.Open(at(now), native(target))
	}
	for range 5 {
		op := open("T")
		if !op.Decide {
			t.Fatalf("dialog %s is not decided", op.ID)
		}
		if _, err := q.Decide(at(now), op.ID, op.Generation, dialog.Verdict{Do: "accept"}); err != nil {
			t.Fatal(err)
		}
		q.Closed(at(now), "ST", "T", true, "")
	}
	var first string
	for i := range 1000 {
		op := open("T")
		if op.Decide || op.Send == nil || op.Send.Accept || op.Send.By != dialog.AutoPolicy {
			t.Fatalf("dialog %d of the flood: %+v", i, op)
		}
		if i == 0 {
			first = op.ID
		}
		c := q.Closed(at(now), "ST", "T", false, "")
		if c == nil || c.ID != op.ID || c.Count != i+1 {
			t.Fatalf("closed %+v", c)
		}
		if i%100 == 7 { // others go on meanwhile
			q.Open(at(now), native("U"))
			q.Closed(at(now), "SU", "U", true, "")
		}
	}
	recent := q.Recent()
	if len(recent) != 5+10+1 {
		t.Errorf("%d recent dialogs", len(recent))
	}
	if c := wantClosed(t, q, first, dialog.AutoPolicy, dialog.Dismiss, dialog.ReasonFlood); c.Count != 1000 || c.ClosedAt != at(now) {
		t.Errorf("summary %+v", c)
	}
	if op := open("V"); !op.Decide {
		t.Error("another page suffers")
	}
	now += 3
	if op := open("T"); op.Decide {
		t.Error("the breaker flaps")
	}
	q.Closed(at(now), "ST", "T", false, "")
	now += 5
	if op := open("T"); !op.Decide {
		t.Error("the breaker does not end")
	}
}

// TestFloodAnswerFails: the breaker's answer is one like any other.
func TestFloodAnswerFails(t *testing.T) {
	t.Parallel()
	q := dialog.NewQueue(dialog.Options{FloodPerSecond: 1})
	q.Open(t0, native("T"))
	q.Closed(t0, "ST", "T", true, "")
	op := q.Open(at(0.1), native("T"))
	q.Failed(at(0.2), op.Send, dialog.NotSent)
	due := q.Expired(at(2))
	if len(due) != 1 || due[0].By != dialog.AutoPolicy || due[0].Accept {
		t.Fatalf("due %+v", due)
	}
	q.Gone(at(3), target("T"), dialog.ReasonClose)
	wantClosed(t, q, op.ID, dialog.Remote, "", dialog.ReasonClose)
}

// TestFloodsAreForgotten: pages that come and go leave nothing.
func TestFloodsAreForgotten(t *testing.T) {
	t.Parallel()
	q := dialog.NewQueue(dialog.Options{FloodPerSecond: 3})
	for i := range 5000 {
		id := fmt.Sprint("T", i)
		q.Open(at(float64(i)), native(id))
		q.Gone(at(float64(i)), target(id), dialog.ReasonClose)
	}
	if n := dialog.Floods(q); n > 64 {
		t.Errorf("%d pages are watched", n)
	}
}

func TestFloodSummaryLeavesTheRing(t *testing.T) {
	t.Parallel()
	q := dialog.NewQueue(dialog.Options{FloodPerSecond: 1, Ring: 2})
	flood := func(now float64) {
		q.Open(at(now), native("T"))
		q.Closed(at(now), "ST", "T", false, "")
	}
	flood(0)
	flood(0.1)
	for i := range 3 {
		id := fmt.Sprint("U", i)
		q.Open(at(0.2), native(id))
		q.Gone(at(0.2), target(id), dialog.ReasonClose)
	}
	flood(0.3)
	recent := q.Recent()
	if c := recent[len(recent)-1]; len(recent) != 2 || c.Reason != dialog.ReasonFlood || c.Count != 2 {
		t.Errorf("recent %+v", recent)
	}
}
