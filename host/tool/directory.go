package tool

import (
	"context"
	"encoding/json"

	"cdphost/host/dialog"
	"cdphost/host/page"
	"cdphost/host/supervisor"
)

// Directory is where tools find tasks. A task may be on this machine or on
// another; tools can't tell. It is safe for concurrent use.
type Directory interface {
	// Tasks lists the ids of a caller's tasks.
	Tasks(caller string) []string
	// Task returns a task that is attached to a browser: fault.TaskNotFound for
	// an id that the caller has not, fault.NoSupervisor for a task whose browser
	// is not running.
	Task(ctx context.Context, caller, id string) (Task, error)
	// Start returns a task, made and attached to the configured browser when it
	// is not yet. A new task takes its dialog policy from the toolset.
	Start(ctx context.Context, caller, id string, set *Toolset) (Task, error)
	// Connect attaches a task to a browser that a user owns. What the task had
	// before is let go.
	Connect(ctx context.Context, caller, id string, set *Toolset, to Connection) (Task, error)
	// Disconnect ends a task's use of its browser and forgets the pages. A
	// user's browser and tabs stay.
	Disconnect(ctx context.Context, caller, id string) error
}

// Connection says which browser to join.
type Connection struct {
	// URL is an endpoint in any form that the configuration takes; "" is the
	// configured one, or the one found on the usual port.
	URL string
	// Adopt is a target id or a URL pattern ("*" matches anything) of the tab to
	// take over; "" takes none.
	Adopt string
}

// Task is one task as tools see it. It is safe for concurrent use.
type Task interface {
	Key() supervisor.Key
	// Snapshot returns the state as of now, without asking the browser.
	Snapshot() *supervisor.Snapshot
	// Changed returns a channel that is closed at the next change of Snapshot.
	// Take it first, then the snapshot, so that no change falls in between.
	Changed() <-chan struct{}
	// Call sends one CDP command within what the task owns; session "" is the
	// browser. late, if not nil, gets a reply that comes after ctx has ended.
	Call(ctx context.Context, session, method string, params any, late func(json.RawMessage, error)) (json.RawMessage, error)
	// OpenPage makes a page at about:blank and returns its tab id.
	OpenPage(ctx context.Context, background bool) (tabID string, err error)
	// ClosePage closes a page, also one that a dialog blocks.
	ClosePage(ctx context.Context, tabID string) error
	// SetCurrent makes a page the one that is meant when none is named.
	SetCurrent(tabID string)
	// Elements lists what a page shows, within maxBytes.
	Elements(ctx context.Context, tabID string, maxBytes int) (*page.Elements, error)
	// Act carries out one action of the browser tool.
	Act(ctx context.Context, args json.RawMessage) *page.Reply
	// Console returns the last console errors of all pages, newest last.
	Console() []supervisor.ConsoleEntry
	// AnswerDialog answers a dialog for the agent and returns when the browser
	// has confirmed it. id "" is the only one pending; text nil is a prompt's
	// default text.
	AnswerDialog(ctx context.Context, id, action string, text *string) (dialog.Closed, error)
}
