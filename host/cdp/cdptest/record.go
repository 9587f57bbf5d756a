package cdptest

import (
	"context"
	"fmt"
	"sync"
)

// record is all commands that a mock received.
type record struct {
	mu      sync.Mutex
	seq     int
	all     []Request
	changed chan struct{} // closed and replaced at every command
}

func (r *record) init() { r.changed = make(chan struct{}) }

func (r *record) add(req *Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seq++
	req.Seq = r.seq
	r.all = append(r.all, *req)
	close(r.changed)
	r.changed = make(chan struct{})
}

// Sent returns the commands of a method that clients sent so far, in the order of their arrival;
// method "" means all.
func (s *Server) Sent(method string) []Request {
	s.record.mu.Lock()
	defer s.record.mu.Unlock()
	var found []Request
	for _, r := range s.record.all {
		if method == "" || r.Method == method {
			found = append(found, r)
		}
	}
	return found
}

// ForgetSent empties the record of commands, so that a long benchmark does not measure it.
func (s *Server) ForgetSent() {
	s.record.mu.Lock()
	defer s.record.mu.Unlock()
	s.record.all = nil
}

// WaitFor waits until done is true of all commands received. It calls done after each command.
func (s *Server) WaitFor(ctx context.Context, done func(sent []Request) bool) error {
	for {
		s.record.mu.Lock()
		sent, changed := s.record.all, s.record.changed
		s.record.mu.Unlock()
		if done(sent[:len(sent):len(sent)]) {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("cdptest: commands never came: %w", ctx.Err())
		}
	}
}

// MustReceive waits until at least n commands of a method came and returns them, or fails the test.
func (s *Server) MustReceive(tb TB, method string, n int) []Request {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), callTime)
	defer cancel()
	err := s.WaitFor(ctx, func(sent []Request) bool {
		count := 0
		for _, r := range sent {
			if r.Method == method {
				count++
			}
		}
		return count >= n
	})
	if err != nil {
		tb.Fatalf("%s, %d times: %v", method, n, err)
	}
	return s.Sent(method)
}
