package dialog

import "slices"

// remember adds c to the ring, at the cost of the oldest entry.
func (q *Queue) remember(c Closed) {
	if q.ring == nil {
		q.ring = make([]Closed, 0, min(q.opts.Ring, 4))
	}
	if len(q.ring) >= q.opts.Ring {
		q.ring = slices.Delete(q.ring, 0, len(q.ring)-q.opts.Ring+1)
	}
	q.ring = append(q.ring, c)
	q.recent = nil
}

// summarise counts a dialog that the flood breaker dismissed in the one entry that
// stands for the flood, and moves that entry to the end, where it is safe from
// what else closes meanwhile.
func (q *Queue) summarise(c Closed, f *flood) Closed {
	f.count++
	c.Count = f.count
	i := slices.IndexFunc(q.ring, func(r Closed) bool { return r.ID == f.summary })
	if f.summary == "" || i < 0 {
		f.summary = c.ID
		q.remember(c)
		return c
	}
	entry := q.ring[i]
	entry.Count, entry.ClosedAt = f.count, c.ClosedAt
	q.ring = append(slices.Delete(q.ring, i, i+1), entry)
	q.recent = nil
	return c
}
