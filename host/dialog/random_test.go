package dialog_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"cdphost/host/dialog"
)

// TestRandom runs random operations in random order and checks after each that the
// queue keeps its promises.
func TestRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		newWorld(t, rand.New(rand.NewPCG(seed, 1))).run(400)
	}
}

func FuzzQueue(f *testing.F) {
	f.Add(uint64(1), uint16(100))
	f.Fuzz(func(t *testing.T, seed uint64, n uint16) {
		newWorld(t, rand.New(rand.NewPCG(seed, 2))).run(int(n % 1000))
	})
}

// world is a queue and what an onlooker knows of it.
type world struct {
	*testing.T
	r   *rand.Rand
	q   *dialog.Queue
	now time.Time

	opened map[string]bool
	closed map[string]bool
	sends  []*dialog.Send
	epoch  uint64
}

func newWorld(t *testing.T, r *rand.Rand) *world {
	return &world{
		T: t, r: r, now: t0, epoch: 1, opened: make(map[string]bool), closed: make(map[string]bool),
		q: dialog.NewQueue(dialog.Options{Ring: 20, FloodPerSecond: 1 + r.IntN(8), Timeout: 20 * time.Second}),
	}
}

func (w *world) run(n int) {
	w.Helper()
	var pending []dialog.Dialog
	var recent []dialog.Closed
	var before string
	for i := range n {
		if i%10 == 0 {
			pending, recent = w.q.Pending(), w.q.Recent()
			before = fmt.Sprintf("%+v %+v", pending, recent)
		}
		w.step()
		w.verify()
		if i%10 != 9 {
			continue
		}
		if after := fmt.Sprintf("%+v %+v", pending, recent); after != before {
			w.Fatalf("a snapshot changed from\n%s to\n%s", before, after)
		}
	}
}

func (w *world) target() string { return fmt.Sprint("T", w.r.IntN(4)) }

func (w *world) match() func(*dialog.Dialog) bool {
	if w.r.IntN(2) == 0 {
		return target(w.target())
	}
	frame := fmt.Sprint("F", w.r.IntN(3))
	return func(d *dialog.Dialog) bool { return d.FrameID == frame }
}

// id is a pending, closed or unknown dialog, or the only one.
func (w *world) id() string {
	return []string{"", fmt.Sprint("d-", w.r.IntN(len(w.opened)+2)), fmt.Sprint("d-", len(w.opened)-w.r.IntN(5))}[w.r.IntN(3)]
}

func (w *world) send(s *dialog.Send) {
	if s == nil {
		return
	}
	d, ok := w.q.Lookup(s.DialogID)
	if !ok || d.State != dialog.Answering || w.closed[s.DialogID] || !w.q.Current(s) {
		w.Fatalf("an answer %+v for %+v", s, d)
	}
	if d.Native() && w.q.Tainted(d.TargetID) && d.OpenedAt.Equal(w.now) {
		w.Fatalf("an answer into a tainted page: %+v", s)
	}
	w.sends = append(w.sends, s)
}

func (w *world) over(closed ...dialog.Closed) {
	for _, c := range closed {
		if w.closed[c.ID] || !w.opened[c.ID] {
			w.Fatalf("%s closed again", c.ID)
		}
		w.closed[c.ID] = true
	}
}

func (w *world) step() {
	w.Helper()
	w.now = w.now.Add(time.Duration(w.r.IntN(400)) * time.Millisecond)
	r, q := w.r, w.q
	switch r.IntN(16) {
	case 0, 1, 2:
		o := native(w.target())
		o.Epoch = w.epoch
		o.Type = []dialog.Type{dialog.Alert, dialog.Confirm, dialog.Prompt, dialog.BeforeUnload}[r.IntN(4)]
		o.FrameID = []string{o.TargetID, fmt.Sprint("F", r.IntN(3)), ""}[r.IntN(3)]
		if r.IntN(3) == 0 {
			o.Bridge = "b"
		}
		op := q.Open(w.now, o)
		if w.opened[op.ID] {
			w.Fatalf("the id %s was used again", op.ID)
		}
		w.opened[op.ID] = true
		w.over(op.Superseded...)
		w.send(op.Send)
	case 3, 4:
		do := []string{"hold", "accept", "dismiss", "ask", "nonsense"}[r.IntN(5)]
		s, err := q.Decide(w.now, w.id(), q.Generation()-uint64(r.IntN(2)), dialog.Verdict{Do: do, Timeout: time.Duration(r.IntN(9)) * time.Second})
		if s != nil && err != nil {
			w.Fatal("an answer and an error")
		}
		w.send(s)
	case 5, 6:
		s, err := q.Answer(w.now, w.id(), []string{"accept", "dismiss", "x"}[r.IntN(3)], nil, dialog.Agent)
		if (s == nil) == (err == nil) {
			w.Fatalf("%v, %v", s, err)
		}
		w.send(s)
	case 7, 8:
		if c := q.Closed(w.now, "S"+w.target(), []string{"", w.target(), fmt.Sprint("F", r.IntN(3))}[r.IntN(3)], r.IntN(2) == 0, ""); c != nil {
			w.over(*c)
		}
	case 9, 10:
		if len(w.sends) == 0 {
			return
		}
		s := w.sends[len(w.sends)-1-r.IntN(min(4, len(w.sends)))]
		was := w.closed[s.DialogID]
		var c *dialog.Closed
		if k := r.IntN(6); k < 4 {
			c = q.Failed(w.now, s, dialog.Failure(k))
		} else {
			c = q.Confirmed(w.now, s)
		}
		if c != nil && !was {
			w.over(*c)
		}
	case 11:
		reason := []string{dialog.ReasonClose, dialog.ReasonFrameGone, dialog.ReasonCrash, dialog.ReasonNavigation}[r.IntN(4)]
		w.over(q.Gone(w.now, w.match(), reason)...)
	case 12:
		for _, s := range q.Expired(w.now) {
			w.send(s)
		}
		q.Stuck(w.now)
		if next, ok := q.NextDeadline(); ok && !next.After(w.now) {
			w.Fatalf("still due at %v, now is %v", next, w.now)
		}
	case 13:
		switch r.IntN(4) {
		case 0:
			q.Redecide()
		case 1:
			q.Orphan(w.match(), "a test")
		case 2:
			w.over(q.EpochEnded(w.now, w.epoch)...)
			w.epoch++
		case 3:
			q.Rebind(w.match(), "S"+w.target(), w.epoch, r.IntN(2) == 0)
		}
	case 14:
		q.Free(w.now, w.id(), dialog.Agent)
		q.Explain(w.match(), dialog.ReasonNavigation)
	case 15:
		q.Healed(w.target())
	}
}

func (w *world) verify() {
	w.Helper()
	pending := make(map[string]dialog.Dialog)
	natives := make(map[string]int)
	for _, d := range w.q.Pending() {
		if _, twice := pending[d.ID]; twice || w.closed[d.ID] || !w.opened[d.ID] {
			w.Fatalf("%s is pending, and closed or not opened", d.ID)
		}
		pending[d.ID] = d
		if d.Native() {
			natives[d.TargetID]++
		}
		if (d.State == dialog.Answering) && d.Answer == nil || d.Deciding && d.State != dialog.Held {
			w.Fatalf("a strange dialog %+v", d)
		}
	}
	for target, n := range natives {
		if n > 1 {
			w.Fatalf("%d native dialogs are open in %s", n, target)
		}
	}
	for id := range w.opened {
		if _, ok := pending[id]; ok == w.closed[id] {
			w.Fatalf("%s is neither pending nor closed", id)
		}
	}
	current := make(map[string]int)
	for _, s := range w.sends {
		if w.q.Current(s) {
			current[s.DialogID]++
		}
	}
	for id, d := range pending {
		want := 0
		if d.State == dialog.Answering {
			want = 1
		}
		if current[id] != want {
			w.Fatalf("%s is %s with %d answers on their way", id, d.State, current[id])
		}
		delete(current, id)
	}
	if len(current) > 0 {
		w.Fatalf("answers for closed dialogs: %v", current)
	}
	recent := w.q.Recent()
	if len(recent) > 20 {
		w.Fatalf("%d recent dialogs", len(recent))
	}
	for i, c := range recent {
		if !w.closed[c.ID] || i > 0 && c.ClosedAt.Before(recent[i-1].ClosedAt) {
			w.Fatalf("recent dialog %s is pending or out of order", c.ID)
		}
	}
}
