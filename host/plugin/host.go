package plugin

import (
	"context"
	"encoding/json"

	"cdphost/host/cdp"
	"cdphost/host/supervisor"
)

// CaptureHost is what plugins reach of the host. Its methods may be called from
// several goroutines at once.
type CaptureHost interface {
	// Capture leases a task's connection for a plugin. It starts, reconnects and
	// refocuses nothing; fault.CaptureInvalid when nothing is attached,
	// fault.NotGranted when the holder's grants do not reach the task.
	Capture(ctx context.Context, holder Holder, task supervisor.Key) (CaptureHandle, error)
	// Subscribe gives a plugin events of a task, within its grants.
	Subscribe(ctx context.Context, holder Holder, task supervisor.Key, filter EventFilter) (EventSource, error)
}

// Holder is the plugin that holds a lease.
type Holder struct {
	// Name is the plugin's name in the configuration.
	Name string
	// Generation is the process that asked; what it made is undone when it ends.
	Generation uint64
	// Priority orders those who intercept the same request, ascending.
	Priority int
	Grants   Grants
}

// CaptureHandle is a lease on (task, epoch).
type CaptureHandle interface {
	PageSession() string
	TabID() string
	Epoch() uint64
	// Invalid is closed when the handle will never work again.
	Invalid() <-chan struct{}
	// Call sends a command; see CaptureCall.
	Call(ctx context.Context, call CaptureCall) (json.RawMessage, error)
	// Release ends the lease and undoes what was made through it, within a bound of
	// its own: the plugin is not started again before. It may be called twice.
	Release()
}

// CaptureCall is one command of a handle.
type CaptureCall struct {
	Command cdp.Command
	// Compare names the facts whose change between verdict and write makes the
	// host ask BeforeSend again.
	Compare []string
	// BeforeSend, when not nil, is asked with the final params; an error refuses.
	// The context carries the validator's own deadline.
	BeforeSend func(ctx context.Context, c cdp.Command, f Facts) error
}

// EventFilter says which events of a task a plugin wants.
type EventFilter struct {
	// Methods are "Domain.event" or "Domain.*".
	Methods []string
	// SessionID and TabID narrow it to one session or page; "" means all.
	SessionID string
	TabID     string
}

// EventSource is a bounded queue of events.
type EventSource interface {
	// Events is closed when there will be no more.
	Events() <-chan supervisor.Event
	// Dropped is how many events did not fit.
	Dropped() uint64
	Close()
}
