package link

import (
	"context"
	"encoding/json"
	"errors"

	"cdphost/host/cdp"
	"cdphost/sdk/fault"

	"github.com/chromedp/cdproto/target"
)

// ensureContext returns the task's own browser context, made at the first call,
// or "" where it has none. The caller holds m.slot.
func (m *Member) ensureContext(ctx context.Context, conn *cdp.Conn) (string, error) {
	l := m.link
	l.mu.Lock()
	id := m.context
	can, probed := l.caps.Has[CapContexts]
	l.mu.Unlock()
	if id != "" || l.spec.UserOwned || probed && !can {
		return id, nil
	}
	raw, err := conn.Call(ctx, command("", target.CommandCreateBrowserContext, &target.CreateBrowserContextParams{}),
		cdp.WithControl(), cdp.WithLate(func(raw json.RawMessage, err error) {
			if id := createdContext(raw); err == nil && id != "" {
				conn.Post([]cdp.Command{undoing(item{itemContext, id})}, nil)
			}
		}))
	var refused *cdp.Error
	switch {
	case errors.As(err, &refused):
		l.found(CapContexts, false, "the browser makes no browser contexts: tasks share cookies and storage")
		return "", nil
	case err != nil:
		return "", fault.Wrap(err, fault.BrowserGone, "the browser did not make a browser context (Target.createBrowserContext)")
	}
	if id = createdContext(raw); id == "" {
		return "", fault.New(fault.EndpointNotCDP, "Target.createBrowserContext answered without a context id")
	}
	l.journal.made(item{itemContext, id})
	if !m.takeContext(id) {
		if undo(ctx, conn, item{itemContext, id}) == nil {
			l.journal.gone(item{itemContext, id})
		}
		return "", errLeft()
	}
	l.found(CapContexts, true, "")
	return id, nil
}

// takeContext makes a new context the task's, unless the task has left meanwhile.
func (m *Member) takeContext(id string) bool {
	l := m.link
	l.mu.Lock()
	defer l.mu.Unlock()
	if m.left {
		return false
	}
	m.context = id
	l.contexts[id] = m
	return true
}

func createdContext(raw json.RawMessage) string {
	var res target.CreateBrowserContextResult
	if cdp.Unmarshal(raw, &res) != nil {
		return ""
	}
	return string(res.BrowserContextID)
}

func errLeft() error { return fault.New(fault.NoSupervisor, "the task has left its browser") }
