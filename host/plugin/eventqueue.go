package plugin

import (
	"sync"

	"cdphost/host/supervisor"
	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
	"google.golang.org/protobuf/types/known/timestamppb"
)

const (
	// batchEvents and batchBytes bound one message to a subscriber: large enough
	// that the cost of a message is shared, small enough to be sent at once.
	batchEvents = 128
	batchBytes  = 256 << 10
)

// eventQueue holds the events that a subscriber has not read yet. It outlives the
// subscriber's process. When it is full new events are lost and counted.
type eventQueue struct {
	filter  *methodFilter
	granted *methodFilter // nil: everything
	ready   chan struct{} // holds one token while there are events

	mu      sync.Mutex
	ring    []supervisor.Event
	head    int
	size    int
	dropped uint64
	told    uint64 // of dropped
}

func newEventQueue(spec *Spec, filter *methodFilter, capacity int) *eventQueue {
	q := &eventQueue{filter: filter, ready: make(chan struct{}, 1), ring: make([]supervisor.Event, capacity)}
	if !spec.Grants.All {
		q.granted = newMethodFilter(spec.Grants.Events)
	}
	return q
}

func (q *eventQueue) wants(method string) bool {
	return q.filter.match(method) && (q.granted == nil || q.granted.match(method))
}

// put adds an event; it never blocks.
func (q *eventQueue) put(e supervisor.Event) {
	q.mu.Lock()
	if q.size == len(q.ring) {
		q.dropped++
		q.mu.Unlock()
		return
	}
	q.ring[(q.head+q.size)%len(q.ring)] = e
	q.size++
	q.mu.Unlock()
	select {
	case q.ready <- struct{}{}:
	default:
	}
}

// take returns the next batch, nil when there is none.
func (q *eventQueue) take() *pluginv1.DeliverRequest {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.size == 0 && q.told == q.dropped {
		return nil
	}
	out := &pluginv1.DeliverRequest{Dropped: q.dropped}
	q.told = q.dropped
	bytes := 0
	for q.size > 0 && len(out.Events) < batchEvents && bytes < batchBytes {
		e := q.ring[q.head]
		q.ring[q.head] = supervisor.Event{}
		q.head = (q.head + 1) % len(q.ring)
		q.size--
		bytes += len(e.Params)
		out.Events = append(out.Events, eventMessage(e))
	}
	return out
}

// lost counts events that were taken and could not be delivered.
func (q *eventQueue) lost(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.dropped += uint64(n)
}

func (q *eventQueue) stats() (depth int, dropped uint64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.size, q.dropped
}

func eventMessage(e supervisor.Event) *pluginv1.Event {
	return &pluginv1.Event{
		Task: task(e.Task), Seq: e.Seq, Time: timestamppb.New(e.Time),
		SessionId: e.SessionID, TabId: e.TabID, Method: e.Method, Params: e.Params,
	}
}
