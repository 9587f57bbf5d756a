package link

import (
	"context"
	"time"

	"cdphost/host/cdp"
	"cdphost/sdk/fault"
)

// run watches the connection, restores it when it drops, and ends the link when
// it is closed or its budget is spent.
func (l *Link) run(conn *cdp.Conn) {
	defer close(l.done)
	defer l.closeBrowser(context.Background())
	defer l.closeStandby()
	defer l.journal.close()
	budget := MaxPostAttachReconnectFailures
	for {
		began := time.Now()
		l.watch(conn)
		cause := conn.Err()
		l.endEpoch(conn, cause)
		if l.ctx.Err() != nil {
			l.lost(l.Err())
			return
		}
		if time.Since(began) >= l.opts.MinUptime {
			budget = MaxPostAttachReconnectFailures
		}
		if conn, budget = l.reconnect(budget, cause); conn == nil {
			return
		}
	}
}

// watch returns when the connection has ended or the link is closed. Meanwhile it
// keeps the connection honest and the standby alive.
func (l *Link) watch(conn *cdp.Conn) {
	tick := time.NewTicker(l.opts.Heartbeat)
	defer tick.Stop()
	pulse := heartbeat{conn: conn, limit: 2 * l.opts.Heartbeat}
	l.keepStandby(conn)
	for {
		select {
		case <-conn.Done():
			return
		case <-l.ctx.Done():
			return
		case now := <-tick.C:
			pulse.beat(now)
			if s := l.currentStandby(); s != nil {
				s.pulse.beat(now)
			}
			l.keepStandby(conn)
		}
	}
}

// reconnect tries until an attachment succeeds or the budget is spent. The first try
// after a connection that had lasted goes at once and costs none of the budget: most
// drops are a proxy's or a socket's, and the browser is there. A browser that the link
// launched and that died is started again at once, too.
func (l *Link) reconnect(budget int, cause error) (*cdp.Conn, int) {
	pause, tries := l.backoff(budget), MaxPostAttachReconnectFailures
	atOnce := budget == MaxPostAttachReconnectFailures
	if atOnce {
		tries++
	}
	if atOnce || l.browser.dead() {
		pause = 0
	}
	for budget > 0 {
		select {
		case <-time.After(pause):
		case <-l.ctx.Done():
			l.lost(l.Err())
			return nil, 0
		}
		ctx, cancel := context.WithTimeout(l.ctx, l.opts.StartTimeout)
		conn, err := l.attach(ctx)
		cancel()
		if err == nil {
			return conn, budget - 1
		}
		cause = err
		if atOnce {
			atOnce = false
		} else {
			budget--
		}
		pause = l.backoff(budget)
		l.opts.Logger.Debug("reconnecting failed", "error", err, "left", budget)
	}
	err := fault.Wrap(cause, fault.BrowserGone,
		"the browser could not be reached again after %d tries; the next call starts afresh", tries)
	l.opts.Logger.Warn("gave up on a browser", "tries", tries, "error", cause)
	l.lost(err)
	return nil, 0
}

// backoff is the pause before a try, which doubles with each failure that the
// budget has paid for: connections that come up and do not last count as such.
func (l *Link) backoff(budget int) time.Duration {
	pause := l.opts.BackoffMin
	for range MaxPostAttachReconnectFailures - budget {
		pause = min(2*pause, l.opts.BackoffMax)
	}
	return pause
}

// endEpoch closes the connection and tells the members that the epoch is over.
func (l *Link) endEpoch(conn *cdp.Conn, cause error) {
	_ = conn.Close()
	l.mu.Lock()
	l.conn = nil
	l.settleLocked()
	epoch := l.epoch
	for _, s := range l.sessions {
		s.forgetLocked()
	}
	clear(l.sessions)
	for id, w := range l.waiting {
		delete(l.waiting, id)
		close(w)
	}
	l.mu.Unlock()
	for _, m := range l.memberList() {
		m.view.EpochEnded(epoch, cause, false)
	}
}

// lost ends the link for its members.
func (l *Link) lost(err error) {
	l.mu.Lock()
	if l.ended == nil {
		l.ended = err
	}
	epoch := l.epoch
	l.mu.Unlock()
	for _, m := range l.memberList() {
		m.view.EpochEnded(epoch, err, true)
	}
}
