package sdk

import (
	"context"
	"sync/atomic"

	"google.golang.org/grpc"

	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
	"cdphost/sdk/proto/wire"
)

// EventQuery says which events of a task a Subscription gets.
type EventQuery struct {
	// Methods are "Domain.event" or "Domain.*"; events of the host are in the
	// domain Host.
	Methods []string
	// SessionID and TabID narrow it to one session or page; "" means all.
	SessionID string
	TabID     string
}

// Subscription is a stream of events. A reader that is slow loses events, which
// are counted.
type Subscription struct {
	c       chan Event
	dropped atomic.Uint64
	cancel  context.CancelFunc
	ended   chan struct{}
	err     error // valid after ended
}

// Subscribe returns the events of a task from now on. ctx bounds the start only.
// Close must be called.
func (h *Host) Subscribe(ctx context.Context, task Task, q EventQuery) (*Subscription, error) {
	if h.client == nil {
		return nil, errNoHost
	}
	streamCtx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	unbind := context.AfterFunc(ctx, cancel)
	stream, err := h.client.Subscribe(streamCtx, &pluginv1.SubscribeRequest{
		Task: task.wire(), Filter: &pluginv1.EventFilter{Methods: q.Methods}, SessionId: q.SessionID, TabId: q.TabID,
	})
	if err == nil {
		// The header says that the host has subscribed; without one the status
		// comes with the first Recv.
		if md, headerErr := stream.Header(); headerErr != nil || md == nil {
			_, err = stream.Recv()
		}
	}
	if !unbind() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		cancel()
		return nil, wire.FromStatus(err, "the host")
	}
	s := &Subscription{c: make(chan Event), cancel: cancel, ended: make(chan struct{})}
	go s.read(streamCtx, stream)
	return s, nil
}

func (s *Subscription) read(ctx context.Context, stream grpc.ServerStreamingClient[pluginv1.SubscribeResponse]) {
	defer close(s.ended)
	defer close(s.c)
	for {
		batch, err := stream.Recv()
		if err != nil {
			s.err = wire.FromStatus(err, "the host")
			return
		}
		s.dropped.Store(batch.GetDropped())
		for _, e := range eventsFrom(batch.GetEvents()) {
			select {
			case s.c <- e:
			case <-ctx.Done():
				return
			}
		}
	}
}

// Events is closed when the subscription ends: Close, or the end of the task.
func (s *Subscription) Events() <-chan Event { return s.c }

// Dropped is how many events were lost so far.
func (s *Subscription) Dropped() uint64 { return s.dropped.Load() }

// Close ends the subscription.
func (s *Subscription) Close() {
	s.cancel()
	<-s.ended
}
