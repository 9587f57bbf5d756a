package sdktest

import (
	"cdphost/sdk"
	"cdphost/sdk/internal/fakehost"
)

// Sent is a command that a plugin sent.
type Sent = fakehost.Sent

// Host is a fake host. Its methods may be called at any time.
type Host struct{ fake *fakehost.Host }

// AddTask makes a task that the plugin can capture. facts describe its page;
// facts.SessionID is the page session.
func (h *Host) AddTask(task sdk.Task, facts sdk.Facts) { h.fake.AddTask(task, facts) }

// Handle scripts the replies to a CDP method. The value is marshalled as the
// result; a *sdk.CDPError is what the browser answers. A method without a script
// is answered as Chrome answers one that it does not know.
func (h *Host) Handle(method string, reply func(sdk.Command) (any, error)) {
	h.fake.Handle(method, reply)
}

// Sent returns the commands that were sent so far.
func (h *Host) Sent() []Sent { return h.fake.Sent() }

// Open returns how many handles the plugin holds.
func (h *Host) Open() int { return h.fake.Open() }

// Invalidate ends a task's connection: handles on it are invalid from now on.
func (h *Host) Invalidate(task sdk.Task) { h.fake.Invalidate(task) }

// Emit gives an event to the subscriptions that want it.
func (h *Host) Emit(e sdk.Event) { h.fake.Emit(e) }
