package link

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"cdphost/host/cdp"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
)

// standby is a second connection to the same browser, attached to the same pages
// by id and never to the browser as a whole. Chrome lets a dialog be answered by
// every client whose Page domain was on when the dialog opened, and by no later
// one; so when the link's own connection drops, dialogs that are open stay
// answerable through the standby.
//
// It is best effort: it follows a new page without holding it, so a dialog in the
// first milliseconds of a page's life may open before the standby is there.
type standby struct {
	link *Link
	conn *cdp.Conn

	mu       sync.Mutex
	sessions map[string]Target // by the standby's own session id
	pages    map[string]string // page target id -> session id, "" while attaching
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
	s := &standby{link: l, sessions: map[string]Target{}, pages: map[string]string{}}
	s.conn = cdp.NewConn(t, cdp.Options{ReadLimit: l.opts.ReadLimit, Handler: s.handle, Logger: l.opts.Logger})
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
		s.follow(t)
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

// follow attaches to a page and turns its Page domain on.
func (s *standby) follow(t Target) {
	s.mu.Lock()
	_, known := s.pages[t.TargetID]
	if !known {
		s.pages[t.TargetID] = ""
	}
	s.mu.Unlock()
	if known {
		return
	}
	flat := true
	attach := command("", target.CommandAttachToTarget, &target.AttachToTargetParams{TargetID: target.ID(t.TargetID), Flatten: &flat})
	s.conn.Post([]cdp.Command{attach}, func(_ int, result json.RawMessage, err error) {
		var r target.AttachToTargetResult
		if err != nil || cdp.Unmarshal(result, &r) != nil {
			s.mu.Lock()
			delete(s.pages, t.TargetID)
			s.mu.Unlock()
			return
		}
		id := string(r.SessionID)
		own := t
		own.SessionID, own.Epoch = id, 0
		s.mu.Lock()
		s.pages[t.TargetID], s.sessions[id] = id, own
		s.mu.Unlock()
		if s.link.memberOf(t.TargetID) == nil { // its task left meanwhile
			s.leave([]string{t.TargetID})
			return
		}
		s.conn.Post([]cdp.Command{command(id, page.CommandEnable, nil)}, nil)
	})
}

// leave lets go of pages whose task has left. The standby of a shared link lives
// on, and would keep their dialogs from whoever uses them next.
func (s *standby) leave(targetIDs []string) {
	var cmds []cdp.Command
	s.mu.Lock()
	for _, id := range targetIDs {
		session := s.pages[id]
		if session == "" {
			continue
		}
		delete(s.pages, id)
		delete(s.sessions, session)
		cmds = append(cmds, command("", target.CommandDetachFromTarget, &target.DetachFromTargetParams{SessionID: target.SessionID(session)}))
	}
	s.mu.Unlock()
	if len(cmds) > 0 {
		s.conn.Post(cmds, nil)
	}
}

// handle runs on the standby's reader goroutine. Of what it hears only the end of
// a dialog counts while the link itself is attached; openings count while it is
// not.
func (s *standby) handle(ev cdp.Event) {
	switch ev.Method {
	case target.DetachedFromTarget.Method:
		var p target.EventDetachedFromTarget
		if cdp.Unmarshal(ev.Params, &p) == nil {
			s.mu.Lock()
			t := s.sessions[string(p.SessionID)]
			delete(s.sessions, string(p.SessionID))
			if s.pages[t.TargetID] == string(p.SessionID) {
				delete(s.pages, t.TargetID)
			}
			s.mu.Unlock()
			s.conn.FailSession(string(p.SessionID), cdp.ErrSessionGone)
		}
	case page.JavascriptDialogOpening.Method, page.JavascriptDialogClosed.Method:
		s.mu.Lock()
		t, ok := s.sessions[ev.SessionID]
		s.mu.Unlock()
		if !ok {
			return
		}
		s.link.mu.Lock()
		m, attached := s.link.targets[t.TargetID], s.link.conn != nil
		s.link.mu.Unlock()
		if m != nil && (!attached || ev.Method == page.JavascriptDialogClosed.Method) {
			m.view.Event(t, ev)
		}
	}
}

// StandbySession returns the session through which dialogs of a page can be
// answered while the link's own connection is down.
func (m *Member) StandbySession(targetID string) (string, bool) {
	s := m.link.currentStandby()
	if s == nil {
		return "", false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	id := s.pages[targetID]
	return id, id != ""
}

// standbyFor returns the connection of a standby's session.
func (m *Member) standbyFor(sessionID string) *cdp.Conn {
	s := m.link.currentStandby()
	if s == nil {
		return nil
	}
	s.mu.Lock()
	t, ok := s.sessions[sessionID]
	s.mu.Unlock()
	if !ok || m.link.memberOf(t.TargetID) != m {
		return nil
	}
	return s.conn
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
	}
}
