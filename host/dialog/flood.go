package dialog

import "time"

// floodCalm is how long a target must stay below the limit before the breaker
// trusts it again: long enough that a loop with pauses does not flap.
const floodCalm = 5 * time.Second

// floodTargets is how many targets are watched before those at rest are dropped.
const floodTargets = 64

// flood is the breaker's view of one target.
type flood struct {
	times   []time.Time // the last FloodPerSecond openings, a ring
	next    int
	tripped bool
	last    time.Time // when the limit was last exceeded
	count   int       // dialogs closed in this flood
	summary string    // id of the entry that stands for them
}

// over counts an opening and returns the target's flood while it is in one.
func (q *Queue) over(now time.Time, target string) *flood {
	limit := q.opts.FloodPerSecond
	if limit <= 0 {
		return nil
	}
	f := q.floods[target]
	if f == nil {
		q.dropCalm(now)
		if q.floods == nil {
			q.floods = make(map[string]*flood, 1)
		}
		f = &flood{}
		q.floods[target] = f
	}
	exceeded := false
	if len(f.times) < limit {
		f.times = append(f.times, now)
	} else {
		exceeded = now.Sub(f.times[f.next]) < time.Second
		f.times[f.next] = now
		f.next = (f.next + 1) % limit
	}
	if f.tripped && !exceeded && now.Sub(f.last) >= floodCalm {
		f.tripped = false
	}
	if exceeded {
		if !f.tripped {
			f.tripped, f.count, f.summary = true, 0, ""
		}
		f.last = now
	}
	if !f.tripped {
		return nil
	}
	return f
}

// dropCalm forgets targets that have been quiet, so that a task that opens pages
// for days does not grow.
func (q *Queue) dropCalm(now time.Time) {
	if len(q.floods) < floodTargets {
		return
	}
	for target, f := range q.floods {
		newest := f.times[(f.next+len(f.times)-1)%len(f.times)]
		if now.Sub(newest) >= floodCalm {
			delete(q.floods, target)
		}
	}
}
