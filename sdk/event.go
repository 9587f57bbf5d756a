package sdk

import (
	"context"
	"encoding/json"
	"time"
)

// EventSubscriber is told of events, in order per session. One that reads slowly
// loses events and is told how many.
type EventSubscriber interface {
	// Events is read once, when the plugin is configured: "Domain.event" or
	// "Domain.*". Events of the host are in the domain Host.
	Events() []string
	// Deliver takes a batch. dropped is how many events were lost so far.
	Deliver(ctx context.Context, events []Event, dropped uint64)
}

// Event is a CDP event of a task's session, or an event of the host.
type Event struct {
	Task Task
	// Seq grows by one with each event of the task.
	Seq       uint64
	Time      time.Time
	SessionID string
	TabID     string
	Method    string
	Params    json.RawMessage
}
