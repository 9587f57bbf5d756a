package link

import (
	"context"
	"time"

	"cdphost/host/cdp"

	cdpdom "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
)

// leaveTimeout bounds the clean-up of a task that leaves. The browser answers in
// milliseconds; after this it is not going to.
const leaveTimeout = 5 * time.Second

// Leave ends the membership: the task's pages are closed and its browser context
// is disposed, or, in a browser that a user owns, only what the task itself made
// is closed (the caller names it in closing). It is safe to call twice.
func (m *Member) Leave(ctx context.Context, closing []string) {
	l := m.link
	l.mu.Lock()
	if m.left {
		l.mu.Unlock()
		return
	}
	m.left = true
	delete(l.members, m)
	own := m.context
	conn := l.conn
	var sessions []string
	for id, s := range l.sessions {
		if s.member == m {
			sessions = append(sessions, id)
			delete(l.sessions, id)
		}
	}
	for id, owner := range l.targets {
		if owner == m {
			delete(l.targets, id)
		}
	}
	delete(l.contexts, own)
	l.mu.Unlock()
	if conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, leaveTimeout)
	defer cancel()
	if own == "" {
		for _, id := range closing {
			_, _ = conn.Call(ctx, command("", target.CommandCloseTarget, &target.CloseTargetParams{TargetID: target.ID(id)}), cdp.WithControl())
		}
		for _, id := range sessions {
			conn.Post([]cdp.Command{command("", target.CommandDetachFromTarget, &target.DetachFromTargetParams{SessionID: target.SessionID(id)})}, nil)
		}
	} else {
		_, err := conn.Call(ctx, command("", target.CommandDisposeBrowserContext,
			&target.DisposeBrowserContextParams{BrowserContextID: cdpdom.BrowserContextID(own)}), cdp.WithControl())
		if err != nil {
			l.opts.Logger.Warn("a browser context was not disposed", "error", err)
		}
	}
	for _, id := range sessions {
		conn.FailSession(id, cdp.ErrSessionGone)
	}
}
