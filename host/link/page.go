package link

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"cdphost/host/cdp"
	"cdphost/sdk/fault"

	cdpdom "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
)

// OpenPage makes a page at about:blank, waits until it is set up, and returns
// its target id. The page never takes the focus. A page that is made when ctx has
// ended, or after the task has left, is closed again.
func (m *Member) OpenPage(ctx context.Context) (targetID string, err error) {
	conn, err := m.link.current(ctx)
	if err != nil {
		return "", err
	}
	if err := acquire(ctx, m.slot); err != nil {
		return "", err
	}
	defer vacate(m.slot)
	own, err := m.ensureContext(ctx, conn)
	if err != nil {
		return "", err
	}
	if own == "" {
		// Without a context nothing tells whose a page is that the browser reports
		// before it answers: one creation at a time.
		if err := acquire(ctx, m.link.shared); err != nil {
			return "", err
		}
		defer vacate(m.link.shared)
	}
	id, err := m.createTarget(ctx, conn, own)
	if own != "" && m.contextGone(ctx, conn, own, err) {
		if own, err = m.ensureContext(ctx, conn); err != nil {
			return "", err
		}
		id, err = m.createTarget(ctx, conn, own)
	}
	var refused *cdp.Error
	if errors.As(err, &refused) {
		m.link.found(CapCreateTarget, false, "the browser opens no pages by itself (Target.createTarget)")
	}
	if err != nil {
		return "", err
	}
	if err := m.awaitReady(ctx, id); err != nil {
		if ctx.Err() != nil {
			conn.Post([]cdp.Command{undoing(item{itemPage, id})}, nil)
		}
		return id, err
	}
	return id, nil
}

// Made takes over a page that a command has made in the task's own browser
// context, and returns when it is set up.
func (m *Member) Made(ctx context.Context, targetID string) error {
	conn, err := m.link.current(ctx)
	if err != nil {
		return err
	}
	switch fresh, ok := m.link.own(targetID, m); {
	case !ok:
		return errLeft()
	case fresh && !m.link.has(CapRootAttach):
		m.link.attachTo(conn, targetID, nil)
	}
	return m.awaitReady(ctx, targetID)
}

func acquire(ctx context.Context, slot chan struct{}) error {
	select {
	case slot <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fault.Wrap(ctx.Err(), fault.Timeout, "the task is still opening another page")
	}
}

func vacate(slot chan struct{}) { <-slot }

func (m *Member) createTarget(ctx context.Context, conn *cdp.Conn, own string) (string, error) {
	l := m.link
	if own == "" {
		l.setCreating(m)
		defer l.setCreating(nil)
	}
	background := true
	raw, err := conn.Call(ctx, command("", target.CommandCreateTarget, &target.CreateTargetParams{
		URL: "about:blank", BrowserContextID: cdpdom.BrowserContextID(own), Background: &background,
	}), cdp.WithControl(), cdp.WithLate(func(raw json.RawMessage, err error) {
		if id := createdTarget(raw); err == nil && id != "" {
			conn.Post([]cdp.Command{undoing(item{itemPage, id})}, nil)
		}
	}))
	var refused *cdp.Error
	switch {
	case errors.As(err, &refused):
		return "", fault.Wrap(err, fault.Unsupported, "the browser refused to open a page: %s", refused.Message)
	case err != nil:
		return "", fault.Wrap(err, fault.BrowserGone, "the browser did not open a page (Target.createTarget)")
	}
	id := createdTarget(raw)
	if id == "" {
		return "", fault.New(fault.EndpointNotCDP, "Target.createTarget answered without a target id")
	}
	l.found(CapCreateTarget, true, "")
	fresh, ok := l.own(id, m)
	if !ok {
		conn.Post([]cdp.Command{undoing(item{itemPage, id})}, nil)
		return "", errLeft()
	}
	if own == "" {
		l.journal.made(item{itemPage, id})
	}
	if fresh && !l.has(CapRootAttach) {
		l.attachTo(conn, id, nil)
	}
	return id, nil
}

func createdTarget(raw json.RawMessage) string {
	var res target.CreateTargetResult
	if cdp.Unmarshal(raw, &res) != nil {
		return ""
	}
	return string(res.TargetID)
}

// contextGone reports whether a page was refused because the task's browser
// context is no more: somebody disposed of it, or another browser answers at the
// endpoint since. Then the context is forgotten. Any other refusal is a
// capability that the browser lacks.
func (m *Member) contextGone(ctx context.Context, conn *cdp.Conn, own string, err error) bool {
	var refused *cdp.Error
	if !errors.As(err, &refused) {
		return false
	}
	ids, listErr := contextsOf(ctx, conn)
	if listErr != nil || slices.Contains(ids, own) {
		return false
	}
	l := m.link
	l.mu.Lock()
	defer l.mu.Unlock()
	if m.context == own {
		m.context = ""
	}
	delete(l.contexts, own)
	return true
}

// awaitReady waits until a page's set-up was answered. A page whose set-up hangs
// is used as it is: the view knows which steps are missing.
func (m *Member) awaitReady(ctx context.Context, targetID string) error {
	select {
	case <-m.link.ready(targetID):
	case <-time.After(m.link.opts.SetupTimeout):
	case <-ctx.Done():
		return fault.Wrap(ctx.Err(), fault.Timeout, "the new page was not ready in time")
	}
	if m.link.memberOf(targetID) == nil {
		return fault.New(fault.BrowserGone, "the new page was closed, or the connection dropped, before it was ready")
	}
	return nil
}

// ClosePage closes a page. The caller has seen to its open dialogs first: closing
// with the dialog of an iframe open takes some browsers down. A page that is gone
// already is no error.
func (m *Member) ClosePage(ctx context.Context, targetID string) error {
	conn, err := m.link.current(ctx)
	if err != nil {
		return err
	}
	return undo(ctx, conn, item{itemPage, targetID})
}
