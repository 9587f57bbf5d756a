package capture

import (
	"context"
	"sync"
	"sync/atomic"

	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// Manager makes handles and knows the guards. Its methods may be called at once.
type Manager struct {
	registry *supervisor.Registry
	guards   atomic.Pointer[GuardSource]
	observer atomic.Pointer[Observer]
	tracer   atomic.Pointer[TracerSource]

	mu      sync.Mutex
	handles map[*Handle]struct{}
}

// Observer is told of every command of a handle after its end. It runs on the
// caller's goroutine and must not wait.
type Observer func(Record)

// Record is one command for an Observer.
type Record struct {
	Task    supervisor.Key
	Sender  string
	Command Command
	Guards  []string // that were asked
	Reply   []byte
	Err     error
}

// NewManager returns a manager for the tasks of a registry.
func NewManager(r *supervisor.Registry) *Manager {
	return &Manager{registry: r, handles: map[*Handle]struct{}{}}
}

// Observe sets the observer; nil takes it away.
func (m *Manager) Observe(o Observer) {
	if o == nil {
		m.observer.Store(nil)
		return
	}
	m.observer.Store(&o)
}

// Capture returns a handle on a task, pinned to its connection and to the page
// session that is current now. It starts, reconnects and refocuses nothing: a
// task without an attached supervisor is fault.CaptureInvalid.
func (m *Manager) Capture(_ context.Context, key supervisor.Key, holder Holder) (*Handle, error) {
	sup, ok := m.registry.Get(key)
	if !ok {
		return nil, fault.New(fault.CaptureInvalid, "the task %s has no browser attached; start it with browser_navigate", key.TaskID)
	}
	return m.CaptureSupervisor(sup, holder)
}

// CaptureSupervisor is Capture for whoever has the supervisor already.
func (m *Manager) CaptureSupervisor(sup *supervisor.Supervisor, holder Holder) (*Handle, error) {
	if err := holder.admits(sup.Settings().Toolset); err != nil {
		return nil, err
	}
	snap := sup.Snapshot()
	attached, current := sup.Attached(snap.Epoch)
	if !current {
		return nil, fault.New(fault.CaptureInvalid, "the connection of task %s is being restored; capture again in a moment", sup.Key().TaskID)
	}
	h := &Handle{manager: m, sup: sup, holder: holder, epoch: snap.Epoch}
	if p, ok := snap.CurrentPage(); ok {
		h.page, h.tab = p.SessionID, p.TabID
	}
	h.ctx, h.cancel = context.WithCancelCause(context.Background())
	h.unwatch = context.AfterFunc(attached, func() { h.cancel(errInvalid) })
	m.mu.Lock()
	m.handles[h] = struct{}{}
	m.mu.Unlock()
	return h, nil
}

// ReleaseAll releases every handle of one generation of a holder, as when its
// plugin's process ends.
func (m *Manager) ReleaseAll(holder string, generation uint64) {
	m.mu.Lock()
	var of []*Handle
	for h := range m.handles {
		if h.holder.Name == holder && h.holder.Generation == generation {
			of = append(of, h)
		}
	}
	m.mu.Unlock()
	for _, h := range of {
		h.Release()
	}
}

// Handles counts the handles that are not released.
func (m *Manager) Handles() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.handles)
}

// handlesOf lists the handles of one task that are not released.
func (m *Manager) handlesOf(sup *supervisor.Supervisor) []*Handle {
	m.mu.Lock()
	defer m.mu.Unlock()
	var of []*Handle
	for h := range m.handles {
		if h.sup == sup {
			of = append(of, h)
		}
	}
	return of
}

// makerOf names the holder whose handle made something; "" when none that is not
// released did.
func (m *Manager) makerOf(sup *supervisor.Supervisor, what string) string {
	for _, h := range m.handlesOf(sup) {
		h.mu.Lock()
		made := h.madeLocked(what)
		h.mu.Unlock()
		if made {
			return h.holder.Name
		}
	}
	return ""
}

func (m *Manager) forget(h *Handle) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.handles, h)
}
