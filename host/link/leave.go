package link

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"cdphost/host/cdp"

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
	var sessions, stay, pages []string
	for id, s := range l.sessions {
		if s.member == m {
			sessions = append(sessions, id)
			if own == "" || s.target.ContextID != own {
				stay = append(stay, id)
			}
			s.forgetLocked()
			delete(l.sessions, id)
		}
	}
	for id, owner := range l.targets {
		if owner == m {
			pages = append(pages, id)
			delete(l.targets, id)
			delete(l.urls, id)
		}
	}
	delete(l.contexts, own)
	left := m.leavingLocked(own, closing)
	if conn == nil {
		l.leftovers = append(l.leftovers, left...)
	}
	standby := l.standby
	l.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, leaveTimeout)
	defer cancel()
	if standby != nil {
		await(ctx, standby.leave(pages))
	}
	if conn == nil {
		return
	}
	for _, it := range left {
		if err := undo(ctx, conn, it); err != nil {
			l.opts.Logger.Warn("what a task made is left in the browser", "kind", it.Kind, "error", err)
			l.leave(it)
			continue
		}
		l.journal.gone(it)
	}
	await(ctx, letGo(conn, stay))
	for _, id := range sessions {
		conn.FailSession(id, cdp.ErrSessionGone)
	}
}

// leavingLocked lists what has to go with the task: its browser context, and the
// pages that it made outside of one.
func (m *Member) leavingLocked(own string, closing []string) []item {
	if own != "" {
		return []item{{itemContext, own}}
	}
	var left []item
	for _, id := range closing {
		left = append(left, item{itemPage, id})
	}
	return left
}

// letGo ends sessions on pages that live on, and returns a channel that is closed when
// the browser has done so. Their Page domain stays on until then: a dialog that is open
// stays open, and switching the domain off is no safer than the end of the session.
func letGo(conn *cdp.Conn, sessions []string) <-chan struct{} {
	var acks sync.WaitGroup
	for _, id := range sessions {
		acks.Add(1)
		detach := command("", target.CommandDetachFromTarget, &target.DetachFromTargetParams{SessionID: target.SessionID(id)})
		conn.Post([]cdp.Command{detach}, func(int, json.RawMessage, error) { acks.Done() })
	}
	done := make(chan struct{})
	go func() { // ends with the replies, which the end of the connection gives too
		acks.Wait()
		close(done)
	}()
	return done
}

func await(ctx context.Context, done <-chan struct{}) {
	select {
	case <-done:
	case <-ctx.Done():
	}
}
