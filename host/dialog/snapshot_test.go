package dialog_test

import (
	"fmt"
	"testing"

	"cdphost/host/dialog"
)

// TestSnapshotsStay: what Pending and Recent returned never changes.
func TestSnapshotsStay(t *testing.T) {
	t.Parallel()
	q := dialog.NewQueue(dialog.Options{FloodPerSecond: 2})
	state := []byte("state")
	o := bridged("B", "F")
	o.BridgeState = state
	b := held(t, q, o)
	state[0] = 'X'
	if got := string(q.Pending()[0].BridgeState); got != "state" {
		t.Errorf("the bridge's state became %q", got)
	}
	a := held(t, q, prompt("A", "d"))
	q.Gone(at(1), target("B"), dialog.ReasonClose)
	v := view{q.Pending(), q.Recent()}
	before := fmt.Sprintf("%+v", v)
	if &q.Pending()[0] != &v.Pending[0] || &q.Recent()[0] != &v.Recent[0] {
		t.Error("another slice though nothing changed")
	}
	s := answer(t, q, a, "accept")
	q.Failed(at(2), s, dialog.NoReply)
	q.Closed(at(3), "SA", "A", true, "d")
	q.Failed(at(4), s, dialog.NotShowing)
	for range 30 {
		q.Open(at(5), native("C"))
		q.Closed(at(5), "SC", "C", false, "")
	}
	if after := fmt.Sprintf("%+v", v); after != before {
		t.Errorf("a snapshot changed from\n%s to\n%s", before, after)
	}
	if _, ok := q.LookupClosed(b); !ok {
		t.Errorf("%s is not among the recent ones", b)
	}
}

//nolint:paralleltest // AllocsPerRun counts the whole process
func TestSnapshotAllocs(t *testing.T) {
	q := queue()
	held(t, q, native("A"))
	held(t, q, native("B"))
	q.Gone(at(1), target("A"), dialog.ReasonClose)
	if n := testing.AllocsPerRun(100, func() { q.Pending(); q.Recent(); q.NextDeadline() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkOpenClose(b *testing.B) {
	q := queue()
	o := native("T")
	b.ReportAllocs()
	for b.Loop() {
		op := q.Open(t0, o)
		q.Pending()
		if _, err := q.Decide(t0, op.ID, op.Generation, dialog.Verdict{Do: "dismiss"}); err != nil {
			b.Fatal(err)
		}
		q.Pending()
		q.Closed(t0, "ST", "T", false, "")
		q.Pending()
		q.Recent()
	}
}
