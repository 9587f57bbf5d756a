package cdptest

import (
	"context"
	"sync"
)

// gate holds back what the clients sent.
type gate struct {
	mu     sync.Mutex
	opened chan struct{} // closed when the gate opens; nil while it is open
}

// wait returns when the gate is open.
func (g *gate) wait(ctx context.Context) error {
	g.mu.Lock()
	opened := g.opened
	g.mu.Unlock()
	if opened == nil {
		return nil
	}
	select {
	case <-opened:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// StopReading lets the server take no further command from any socket until StartReading, so that a
// client's writes fill the system's buffers and then wait. Events still go out.
func (s *Server) StopReading() {
	s.gate.mu.Lock()
	defer s.gate.mu.Unlock()
	if s.gate.opened == nil {
		s.gate.opened = make(chan struct{})
	}
}

// StartReading ends StopReading.
func (s *Server) StartReading() {
	s.gate.mu.Lock()
	defer s.gate.mu.Unlock()
	if s.gate.opened != nil {
		close(s.gate.opened)
		s.gate.opened = nil
	}
}
