package cdp

import "sync/atomic"

// Stats counts what a connection did since it was made.
type Stats struct {
	Received uint64 // messages read
	BytesIn  uint64 // bytes of them
	Sent     uint64 // messages written
	BytesOut uint64 // bytes of them

	Events    uint64 // events handed to the handler
	Replies   uint64 // replies handed to a call, errors included
	Late      uint64 // replies that came after the caller gave up or the session was failed
	Unmatched uint64 // replies and errors that belong to no command
	Malformed uint64 // messages that are not CDP
	Oversized uint64 // messages over ReadLimit
	Parsed    uint64 // messages in another shape than Chrome's, which cost more

	Expired uint64 // calls not sent because their context ended first
	Refused uint64 // calls not sent because WithAdmit refused them
	Panics  uint64 // panics contained in handlers and callbacks

	Queued  int // calls waiting for the writer now
	Pending int // calls without an outcome now, queued ones included
}

// Add adds the counts of another connection.
func (s *Stats) Add(o Stats) {
	s.Received += o.Received
	s.BytesIn += o.BytesIn
	s.Sent += o.Sent
	s.BytesOut += o.BytesOut
	s.Events += o.Events
	s.Replies += o.Replies
	s.Late += o.Late
	s.Unmatched += o.Unmatched
	s.Malformed += o.Malformed
	s.Oversized += o.Oversized
	s.Parsed += o.Parsed
	s.Expired += o.Expired
	s.Refused += o.Refused
	s.Panics += o.Panics
	s.Queued += o.Queued
	s.Pending += o.Pending
}

type counters struct {
	received, bytesIn, sent, bytesOut                              atomic.Uint64
	events, replies, late, unmatched, malformed, oversized, parsed atomic.Uint64
	expired, refused, panics                                       atomic.Uint64
}

// Stats returns the counts so far. They are read one by one, so they may be a
// message apart.
func (c *Conn) Stats() Stats {
	n := &c.count
	s := Stats{
		Received: n.received.Load(), BytesIn: n.bytesIn.Load(),
		Sent: n.sent.Load(), BytesOut: n.bytesOut.Load(),
		Events: n.events.Load(), Replies: n.replies.Load(), Late: n.late.Load(),
		Unmatched: n.unmatched.Load(), Malformed: n.malformed.Load(),
		Oversized: n.oversized.Load(), Parsed: n.parsed.Load(),
		Expired: n.expired.Load(), Refused: n.refused.Load(), Panics: n.panics.Load(),
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s.Queued = c.control.len + c.normal.len
	s.Pending = len(c.calls)
	return s
}
