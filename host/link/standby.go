package link

import (
	"context"
	"sync"
	"time"

	"cdphost/host/cdp"
)

// standby is a second connection to the same browser, attached to the same pages
// by id and never to the browser as a whole. Chrome lets a dialog be answered by
// every client whose Page domain was on when the dialog opened, and by no later
// one; so when the link's own connection drops, dialogs that are open stay
// answerable through the standby.
//
// A page that waits for its release is released when the standby watches it. Of a
// page that was attached while it ran the standby may miss the first dialog; so what
// it has heard itself decides about what it can answer.
type standby struct {
	link  *Link
	conn  *cdp.Conn
	pulse heartbeat
	ended sync.WaitGroup // tells the members when conn has ended

	mu       sync.Mutex
	sessions map[string]*followed // by the standby's own session id
	pages    map[string]*followed // by page target id
}

// standbyTimeout bounds the making of a standby: it must not delay anything.
const standbyTimeout = 5 * time.Second

// keepStandby makes the standby where there is none and one is wanted.
func (l *Link) keepStandby(conn *cdp.Conn) {
	l.dropStandby()
	l.mu.Lock()
	wanted := !l.opts.NoStandby && l.spec.AllowsSecond() && l.standby == nil && !l.standbyRefused && l.conn != nil
	l.mu.Unlock()
	if !wanted || l.browser == nil {
		return
	}
	ctx, cancel := context.WithTimeout(l.ctx, standbyTimeout)
	defer cancel()
	defer cancelWhen(conn.Done(), cancel)()
	t, err := l.opts.Dial(ctx, l.browser.url)
	if err != nil {
		if l.ctx.Err() == nil && conn.Err() == nil {
			l.mu.Lock()
			l.standbyRefused = true
			l.mu.Unlock()
			l.found(CapStandby, false, "")
		}
		l.opts.Logger.Debug("no standby connection", "error", err)
		return
	}
	s := &standby{link: l, sessions: map[string]*followed{}, pages: map[string]*followed{}}
	s.conn = cdp.NewConn(t, cdp.Options{ReadLimit: l.opts.ReadLimit, Handler: s.handle, Logger: l.opts.Logger})
	s.pulse = heartbeat{conn: s.conn, limit: 2 * l.opts.Heartbeat}
	s.ended.Go(s.tellEnd)
	l.opts.Meter.add(s.conn)
	l.mu.Lock()
	l.standby = s
	var pages []Target
	for _, ses := range l.sessions {
		if ses.target.Kind == KindPage && !ses.extra {
			pages = append(pages, ses.target)
		}
	}
	l.mu.Unlock()
	l.found(CapStandby, true, "")
	for _, t := range pages {
		s.follow(t, nil)
	}
}

// cancelWhen calls cancel when done is closed, until the function that it returns
// is called.
func cancelWhen(done <-chan struct{}, cancel func()) (stop func()) {
	stopped, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case <-done:
			cancel()
		case <-stopped:
		}
	}()
	return func() {
		close(stopped)
		<-ended
	}
}

// currentStandby returns the standby while its connection lives.
func (l *Link) currentStandby() *standby {
	l.mu.Lock()
	s := l.standby
	l.mu.Unlock()
	if s == nil {
		return nil
	}
	select {
	case <-s.conn.Done():
		return nil
	default:
		return s
	}
}

// dropStandby lets a standby go whose connection has ended, so that the next one
// is made.
func (l *Link) dropStandby() {
	if l.currentStandby() == nil {
		l.closeStandby()
	}
}

func (l *Link) closeStandby() {
	l.mu.Lock()
	s := l.standby
	l.standby = nil
	l.mu.Unlock()
	if s != nil {
		_ = s.conn.Close()
		s.ended.Wait()
	}
}
