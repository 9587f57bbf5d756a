package local

import (
	"context"
	"encoding/json"
	"sync"

	"cdphost/host/capture"
	"cdphost/host/dialog"
	"cdphost/host/page"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// Task is one task of this process as tools see it. It is safe for concurrent
// use.
type Task struct {
	sup      *supervisor.Supervisor
	captures *capture.Manager
	holder   func(toolset string) capture.Holder

	engine func() *page.Engine // made on first use

	mu     sync.Mutex
	handle *capture.Handle // of the epoch in use
}

// Engine carries out what an agent does to the task's pages. It lives as long as
// the task.
func (t *Task) Engine() *page.Engine { return t.engine() }

// Key names the task.
func (t *Task) Key() supervisor.Key { return t.sup.Key() }

// Supervisor returns what watches the task's browser.
func (t *Task) Supervisor() *supervisor.Supervisor { return t.sup }

// Snapshot returns the state as of now.
func (t *Task) Snapshot() *supervisor.Snapshot { return t.sup.Snapshot() }

// Changed returns a channel that is closed at the next change of Snapshot.
func (t *Task) Changed() <-chan struct{} { return t.sup.Changed() }

// Console returns the last console errors, oldest first.
func (t *Task) Console() []supervisor.ConsoleEntry { return t.sup.Console() }

// SetCurrent makes a page the one that is meant when none is named.
func (t *Task) SetCurrent(tabID string) { t.sup.SetCurrent(tabID) }

// ClosePage closes a page, also one that a dialog blocks.
func (t *Task) ClosePage(ctx context.Context, tabID string) error {
	return t.sup.ClosePage(ctx, tabID)
}

// OpenPage makes a page at about:blank. It becomes the current one unless it is
// to stay in the background of another.
func (t *Task) OpenPage(ctx context.Context, background bool) (string, error) {
	p, err := t.sup.OpenPage(ctx)
	if err != nil {
		return "", err
	}
	if !background {
		t.sup.SetCurrent(p.TabID)
	}
	return p.TabID, nil
}

// AnswerDialog answers a dialog for the agent.
func (t *Task) AnswerDialog(ctx context.Context, id, action string, text *string) (dialog.Closed, error) {
	return t.sup.AnswerDialog(ctx, supervisor.DialogAnswer{ID: id, Action: action, Text: text, By: dialog.Agent})
}

// Call sends one CDP command within what the task owns. A call that could not
// leave because the connection dropped is sent on the restored one if it names no
// session; nothing is ever sent twice.
func (t *Task) Call(ctx context.Context, session, method string, params any, late func(json.RawMessage, error)) (json.RawMessage, error) {
	h, err := t.capture(ctx)
	if err != nil {
		return nil, err
	}
	opts := []capture.Option{capture.OnSession(session)}
	if late != nil {
		opts = append(opts, capture.WithLate(late))
	}
	return h.Call(ctx, method, params, opts...)
}

// capture returns the handle on the connection in use.
func (t *Task) capture(ctx context.Context) (*capture.Handle, error) {
	t.mu.Lock()
	h := t.handle
	t.mu.Unlock()
	if h != nil && h.Valid() {
		return h, nil
	}
	next, err := t.captures.CaptureSupervisor(t.sup, t.holder(t.sup.Settings().Toolset))
	if gone(err) {
		return nil, fault.Wrap(err, fault.BrowserGone, "the browser's connection dropped and is being restored; try again in a moment")
	}
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	old := t.handle
	t.handle = next
	t.mu.Unlock()
	if old != nil {
		old.Release()
	}
	return next, ctx.Err()
}
