package capture

import (
	"context"
	"sync"

	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// Handle is a lease on one attachment of a task's browser. Its methods may be
// called at once. Release ends it; so do a reconnect, the task's stop, and its
// replacement, each for good: a handle never follows the task to a new
// connection.
type Handle struct {
	manager *Manager
	sup     *supervisor.Supervisor
	holder  Holder
	epoch   uint64
	page    string
	tab     string

	ctx    context.Context // ends with the handle, with fault.CaptureInvalid as its cause
	cancel context.CancelCauseFunc

	unwatch func() bool // ends the watch over the epoch

	mu       sync.Mutex
	released bool
	made     []creation // newest last
}

// Task names the task.
func (h *Handle) Task() supervisor.Key { return h.sup.Key() }

// Supervisor returns the task's supervisor, for code inside the host.
func (h *Handle) Supervisor() *supervisor.Supervisor { return h.sup }

// PageSession is the session of the page that was current when the handle was
// made; "" when there was none. It never changes.
func (h *Handle) PageSession() string { return h.page }

// TabID names the page of PageSession.
func (h *Handle) TabID() string { return h.tab }

// Invalid is closed when the handle will never work again.
func (h *Handle) Invalid() <-chan struct{} { return h.ctx.Done() }

// Epoch is the attachment that the handle is pinned to.
func (h *Handle) Epoch() uint64 { return h.epoch }

// Valid reports whether calls can still be sent.
func (h *Handle) Valid() bool { return h.check() == nil }

func (h *Handle) check() error {
	if h.ctx.Err() != nil {
		return context.Cause(h.ctx)
	}
	// The end of the epoch reaches h.ctx a moment later.
	if _, current := h.sup.Attached(h.epoch); !current {
		return errInvalid
	}
	return nil
}

var errInvalid = fault.New(fault.CaptureInvalid, "the handle's connection is gone (reconnected, stopped or replaced); capture again and check again")

// Release ends the handle and takes back what it made. Calls in flight fail at
// once. It sends without waiting and may be called twice.
func (h *Handle) Release() {
	h.unwatch()
	h.cancel(errReleased)
	h.manager.forget(h)
	h.mu.Lock()
	made := h.made
	h.made, h.released = nil, true
	h.mu.Unlock()
	if h.holder.KeepsWhatItMakes {
		return
	}
	for i := len(made) - 1; i >= 0; i-- {
		made[i].undo()
	}
}

var errReleased = fault.New(fault.CaptureInvalid, "the handle was released")
