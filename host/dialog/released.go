package dialog

import "time"

// Released closes a bridged dialog whose page was let go on without an answer,
// because its bridge can't carry s. It returns the closed dialog, nil when s is
// not on its way any more.
func (q *Queue) Released(now time.Time, s *Send) *Closed {
	e := q.sending(s)
	if e == nil {
		return nil
	}
	c := q.finish(now, e, ending{by: s.By, reason: ReasonReleased})
	return &c
}
