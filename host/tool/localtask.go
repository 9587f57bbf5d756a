package tool

import (
	"context"
	"encoding/json"
	"sync"

	"cdphost/host/capture"
	"cdphost/host/dialog"
	"cdphost/host/page"
	"cdphost/host/supervisor"
)

// localTask is a Task of this machine: a supervisor, the handle that its
// commands go through and the engine of its actions.
type localTask struct {
	*supervisor.Supervisor
	captures *capture.Manager
	holder   capture.Holder
	engine   *page.Engine

	mu     sync.Mutex
	handle *capture.Handle // of the epoch that was last used
}

func newLocalTask(sup *supervisor.Supervisor, captures *capture.Manager, plan Plan) *localTask {
	t := &localTask{Supervisor: sup, captures: captures, holder: plan.Holder}
	options := plan.Page
	options.Host = admittedHost{page.Supervised(sup, nil), t}
	options.ReserveUIDs = sup.Record().ReserveUIDs
	t.engine = page.New(options)
	return t
}

// close ends the actions in flight and gives the handle back.
func (t *localTask) close() {
	t.engine.Close()
	t.mu.Lock()
	handle := t.handle
	t.handle = nil
	t.mu.Unlock()
	if handle != nil {
		handle.Release()
	}
}

// lease returns a handle of the current epoch. A command names its session, and
// sessions are never those of another epoch, so a new handle sends nothing to a
// place that the caller did not mean.
func (t *localTask) lease() (*capture.Handle, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.handle != nil && t.handle.Valid() {
		return t.handle, nil
	}
	fresh, err := t.captures.CaptureSupervisor(t.Supervisor, t.holder)
	if err != nil {
		return nil, err
	}
	if t.handle != nil {
		t.handle.Release()
	}
	t.handle = fresh
	return fresh, nil
}

// Call implements Task.
func (t *localTask) Call(ctx context.Context, session, method string, params any, late func(json.RawMessage, error)) (json.RawMessage, error) {
	if err := t.mayGo(method, params); err != nil {
		return nil, err
	}
	handle, err := t.lease()
	if err != nil {
		return nil, err
	}
	options := []capture.Option{capture.OnSession(session)}
	if late != nil {
		options = append(options, capture.WithLate(late))
	}
	return handle.Call(ctx, method, params, options...)
}

// mayGo refuses commands that send a page where the configuration lets none go.
// What leads there otherwise is ended once it is there.
func (t *localTask) mayGo(method string, params any) error {
	if method != "Page.navigate" && method != "Target.createTarget" {
		return nil
	}
	raw, err := json.Marshal(params)
	if err != nil {
		return err
	}
	var to struct {
		URL string `json:"url"`
	}
	if json.Unmarshal(raw, &to) != nil {
		return nil //nolint:nilerr // the browser says what is wrong with it
	}
	return t.engine.CheckURL(to.URL)
}

// OpenPage implements Task.
func (t *localTask) OpenPage(ctx context.Context, background bool) (string, error) {
	p, err := t.Supervisor.OpenPage(ctx)
	if err != nil {
		return "", err
	}
	if !background {
		_, err = t.Call(ctx, "", "Target.activateTarget", map[string]any{"targetId": p.TargetID}, nil)
	}
	return p.TabID, err
}

// Elements implements Task.
func (t *localTask) Elements(ctx context.Context, tabID string, maxBytes int) (*page.Elements, error) {
	return t.engine.Elements(ctx, tabID, maxBytes)
}

// Act implements Task.
func (t *localTask) Act(ctx context.Context, args json.RawMessage) *page.Reply {
	return t.engine.Do(ctx, args)
}

// AnswerDialog implements Task.
func (t *localTask) AnswerDialog(ctx context.Context, id, action string, text *string) (dialog.Closed, error) {
	return t.Supervisor.AnswerDialog(ctx, supervisor.DialogAnswer{ID: id, Action: action, Text: text, By: dialog.Agent})
}

// admittedHost is what the actions see of the task: their commands go through
// the handle, as those of every tool do.
type admittedHost struct {
	page.Host
	task *localTask
}

func (h admittedHost) Call(ctx context.Context, session, method string, params any, late func(json.RawMessage, error)) (json.RawMessage, error) {
	return h.task.Call(ctx, session, method, params, late)
}

func (h admittedHost) OpenPage(ctx context.Context, background bool) (string, error) {
	return h.task.OpenPage(ctx, background)
}
