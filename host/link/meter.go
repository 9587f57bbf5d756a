package link

import (
	"sync"

	"cdphost/host/cdp"
)

// Meter sums up what connections did, those that have ended included. Its
// methods may be called at once; the nil Meter measures nothing.
type Meter struct {
	mu    sync.Mutex
	conns map[*cdp.Conn]struct{}
	past  cdp.Stats
}

// NewMeter returns a Meter that has measured nothing yet.
func NewMeter() *Meter { return &Meter{conns: map[*cdp.Conn]struct{}{}} }

// Stats returns the sum and how many connections there are now.
func (m *Meter) Stats() (sum cdp.Stats, connections int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.settleLocked()
	sum = m.past
	for c := range m.conns {
		sum.Add(c.Stats())
	}
	return sum, len(m.conns)
}

func (m *Meter) add(c *cdp.Conn) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.settleLocked()
	m.conns[c] = struct{}{}
}

// settleLocked takes the counts of connections that have ended over, and lets go
// of them.
func (m *Meter) settleLocked() {
	for c := range m.conns {
		if c.Err() != nil {
			m.past.Add(c.Stats())
			delete(m.conns, c)
		}
	}
	m.past.Queued, m.past.Pending = 0, 0
}
