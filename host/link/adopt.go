package link

import (
	"context"
	"errors"
	"time"

	"cdphost/host/cdp"
	"cdphost/sdk/fault"

	"github.com/chromedp/cdproto/target"
)

// Adopt attaches to a page that exists, by target id, and waits until it is set
// up. Errors: fault.NotYours for a page of another task, fault.TabNotFound for one
// that is not there, fault.SchemeBlocked for one of the browser's own.
func (m *Member) Adopt(ctx context.Context, targetID string) error {
	l := m.link
	conn, err := l.current(ctx)
	if err != nil {
		return err
	}
	if err := m.adoptable(ctx, conn, targetID); err != nil {
		return err
	}
	refused := make(chan error, 1)
	switch fresh, ok := l.own(targetID, m); {
	case !ok:
		return errLeft()
	case fresh:
		l.attachTo(conn, targetID, func(err error) { refused <- err })
	}
	select {
	case <-l.ready(targetID):
		return nil
	case err := <-refused:
		l.disown(targetID)
		return fault.Wrap(err, fault.TabNotFound, "the browser did not let the task attach to the tab %s", targetID)
	case <-time.After(l.opts.SetupTimeout):
		return nil
	case <-ctx.Done():
		return fault.Wrap(ctx.Err(), fault.Timeout, "the tab %s was not ready in time", targetID)
	}
}

func (m *Member) adoptable(ctx context.Context, conn *cdp.Conn, targetID string) error {
	if owner := m.link.memberOf(targetID); owner != nil && owner != m {
		return fault.New(fault.NotYours, "the tab %s belongs to another task", targetID)
	}
	raw, err := conn.Call(ctx, command("", target.CommandGetTargetInfo, &target.GetTargetInfoParams{TargetID: target.ID(targetID)}), cdp.WithControl())
	var no *cdp.Error
	switch {
	case errors.As(err, &no) && no.Code == methodNotFound:
		return nil // attaching will tell
	case errors.As(err, &no):
		return fault.Wrap(err, fault.TabNotFound, "the browser has no tab %s", targetID)
	case err != nil:
		return fault.Wrap(err, fault.BrowserGone, "the connection broke while the tab %s was looked at", targetID)
	}
	var r target.GetTargetInfoResult
	if cdp.Unmarshal(raw, &r) != nil || r.TargetInfo == nil {
		return nil //nolint:nilerr // what it is will show when it is attached
	}
	switch info := r.TargetInfo; {
	case info.Type != string(KindPage):
		return fault.New(fault.TabNotFound, "%s is a %s, not a tab", targetID, info.Type)
	case isInternal(info.URL):
		return fault.New(fault.SchemeBlocked, "the tab %s shows a page of the browser itself, which no task may use", targetID)
	}
	return nil
}

// methodNotFound is the code of a command that a browser does not know.
const methodNotFound = -32601
