package main

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"cdphost/sdk"
)

// logger is what is used of the host's log.
type logger interface {
	Error(msg string, args ...any)
}

type subscriber struct {
	events []string
	logger logger

	mu      sync.Mutex
	journal *journal // nil once it is closed
	lost    uint64
	failed  error // of the last write
}

// line is one event in the file.
type line struct {
	Time   time.Time       `json:"time"`
	Event  string          `json:"event"`
	Caller string          `json:"caller,omitempty"`
	Task   string          `json:"task,omitempty"`
	Seq    uint64          `json:"seq,omitempty"`
	Tab    string          `json:"tab,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Lost   uint64          `json:"events_lost,omitempty"`
}

// Events implements sdk.EventSubscriber.
func (s *subscriber) Events() []string { return s.events }

// Deliver implements sdk.EventSubscriber.
func (s *subscriber) Deliver(_ context.Context, events []sdk.Event, dropped uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.journal == nil {
		return
	}
	if dropped > s.lost {
		s.put(line{Time: time.Now(), Event: "audit.lost", Lost: dropped - s.lost})
		s.lost = dropped
	}
	for _, e := range events {
		l := line{Time: e.Time, Event: e.Method, Caller: e.Task.Caller, Task: e.Task.ID, Seq: e.Seq, Tab: e.TabID}
		if json.Valid(e.Params) {
			l.Params = e.Params
		}
		s.put(l)
	}
	if s.failed = s.journal.write(); s.failed != nil {
		s.logger.Error("events were not written", "events", len(events), "error", s.failed)
	}
}

func (s *subscriber) put(l line) {
	if err := s.journal.add(l); err != nil {
		s.logger.Error("an event was not written", "event", l.Event, "error", err)
	}
}

// health tells the host that the file can't be written.
func (s *subscriber) health(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed
}

func (s *subscriber) stop(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.journal == nil {
		return nil
	}
	j := s.journal
	s.journal = nil
	return j.close()
}
