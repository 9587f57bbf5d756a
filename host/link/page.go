package link

import (
	"context"
	"errors"
	"time"

	"cdphost/host/cdp"
	"cdphost/sdk/fault"

	cdpdom "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
)

// OpenPage makes a page at about:blank, waits until it is set up, and returns
// its target id. The page never takes the focus.
func (m *Member) OpenPage(ctx context.Context) (targetID string, err error) {
	conn, _, err := m.link.current()
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
	if err != nil {
		return "", err
	}
	return id, m.awaitReady(ctx, id)
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
	}), cdp.WithControl())
	var refused *cdp.Error
	switch {
	case errors.As(err, &refused):
		l.found(CapCreateTarget, false, "the browser opens no pages by itself (Target.createTarget)")
		return "", fault.Wrap(err, fault.Unsupported, "the browser refused to open a page: %s", refused.Message)
	case err != nil:
		return "", fault.Wrap(err, fault.BrowserGone, "the browser did not open a page (Target.createTarget)")
	}
	var res target.CreateTargetResult
	if err := cdp.Unmarshal(raw, &res); err != nil || res.TargetID == "" {
		return "", fault.New(fault.EndpointNotCDP, "Target.createTarget answered without a target id")
	}
	l.found(CapCreateTarget, true, "")
	id := string(res.TargetID)
	l.own(id, m)
	if !l.has(CapRootAttach) {
		l.attachTo(conn, id, nil)
	}
	return id, nil
}

// Adopt attaches to a page that exists, by target id, and waits until it is set
// up. A page of another task is fault.NotYours.
func (m *Member) Adopt(ctx context.Context, targetID string) error {
	l := m.link
	conn, _, err := l.current()
	if err != nil {
		return err
	}
	if owner := l.memberOf(targetID); owner != nil && owner != m {
		return fault.New(fault.NotYours, "the tab %s belongs to another task", targetID)
	}
	l.own(targetID, m)
	refused := make(chan error, 1)
	l.attachTo(conn, targetID, func(err error) { refused <- err })
	select {
	case <-l.ready(targetID):
		return nil
	case err := <-refused:
		l.disown(targetID)
		return fault.Wrap(err, fault.TabNotFound, "the browser has no tab %s", targetID)
	case <-time.After(l.opts.SetupTimeout):
		return nil
	case <-ctx.Done():
		return fault.Wrap(ctx.Err(), fault.Timeout, "the tab %s was not ready in time", targetID)
	}
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

// ClosePage closes a page and waits until the browser has let it go. The caller
// has seen to its open dialogs first: closing with the dialog of an iframe open
// takes some browsers down.
func (m *Member) ClosePage(ctx context.Context, targetID string) error {
	conn, _, err := m.link.current()
	if err != nil {
		return err
	}
	_, err = conn.Call(ctx, command("", target.CommandCloseTarget, &target.CloseTargetParams{TargetID: target.ID(targetID)}), cdp.WithControl())
	var refused *cdp.Error
	if err != nil && !errors.As(err, &refused) { // refused: it is gone already
		return err
	}
	return nil
}

func (m *Member) ensureContext(ctx context.Context, conn *cdp.Conn) (string, error) {
	l := m.link
	l.mu.Lock()
	id := m.context
	can, probed := l.caps.Has[CapContexts]
	l.mu.Unlock()
	if id != "" || l.spec.UserOwned || probed && !can {
		return id, nil
	}
	raw, err := conn.Call(ctx, command("", target.CommandCreateBrowserContext, &target.CreateBrowserContextParams{}), cdp.WithControl())
	var refused *cdp.Error
	switch {
	case errors.As(err, &refused):
		l.found(CapContexts, false, "the browser makes no browser contexts: tasks share cookies and storage")
		return "", nil
	case err != nil:
		return "", fault.Wrap(err, fault.BrowserGone, "the connection broke while a browser context was made")
	}
	var res target.CreateBrowserContextResult
	if err := cdp.Unmarshal(raw, &res); err != nil || res.BrowserContextID == "" {
		return "", fault.New(fault.EndpointNotCDP, "Target.createBrowserContext answered without a context id")
	}
	l.found(CapContexts, true, "")
	l.mu.Lock()
	defer l.mu.Unlock()
	m.context = string(res.BrowserContextID)
	l.contexts[m.context] = m
	return m.context, nil
}
