package link

import (
	"encoding/json"
	"sync/atomic"
	"time"

	"cdphost/host/cdp"

	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/target"
)

// epoch is one attachment of a link. Its handle runs on the reader goroutine of
// its connection and never waits.
type epoch struct {
	link   *Link
	number uint64
	conn   atomic.Pointer[cdp.Conn] // nil until the members know of the epoch
}

func (e *epoch) open(c *cdp.Conn) { e.conn.Store(c) }

func (e *epoch) handle(ev cdp.Event) {
	conn := e.conn.Load()
	if conn == nil {
		return
	}
	switch ev.Method {
	case target.AttachedToTarget.Method:
		decode(e, ev, func(p *target.EventAttachedToTarget) { e.attached(conn, ev.SessionID, p) })
	case target.DetachedFromTarget.Method:
		decode(e, ev, func(p *target.EventDetachedFromTarget) { e.detached(conn, string(p.SessionID)) })
	case target.TargetCreated.Method:
		decode(e, ev, func(p *target.EventTargetCreated) { e.created(conn, p.TargetInfo) })
	case target.TargetInfoChanged.Method:
		decode(e, ev, func(p *target.EventTargetInfoChanged) { e.changed(p.TargetInfo) })
	case target.TargetDestroyed.Method:
		decode(e, ev, func(p *target.EventTargetDestroyed) { e.destroyed(string(p.TargetID)) })
	case target.TargetCrashed.Method:
		decode(e, ev, func(p *target.EventTargetCrashed) { e.crashed(conn, string(p.TargetID)) })
	default:
		e.forward(conn, ev)
	}
}

func decode[E any](e *epoch, ev cdp.Event, apply func(*E)) {
	var p E
	if err := cdp.Unmarshal(ev.Params, &p); err != nil {
		e.link.opts.Logger.Warn("an event could not be read", "method", ev.Method, "error", err)
		return
	}
	apply(&p)
}

// forward hands an event of a page's or an iframe's session to its task.
func (e *epoch) forward(conn *cdp.Conn, ev cdp.Event) {
	s := e.session(ev.SessionID)
	if s == nil {
		return
	}
	switch ev.Method {
	case inspector.Detached.Method:
		e.unloading(s, ev)
	case inspector.TargetCrashed.Method:
		e.rendererGone(conn, s)
	case inspector.TargetReloadedAfterCrash.Method:
		e.link.mu.Lock()
		s.crashed = false
		e.link.mu.Unlock()
	}
	if s.extra {
		s.member.view.ExtraEvent(s.target, ev)
		return
	}
	s.member.view.Event(s.target, ev)
}

// rendererGone fails the calls on a session: Chrome never answers them. It tells of
// a crash twice, and what was sent since the first time, such as a reload that
// revives the page, is answered.
func (e *epoch) rendererGone(conn *cdp.Conn, s *session) {
	e.link.mu.Lock()
	known := s.crashed
	s.crashed = true
	e.link.mu.Unlock()
	if !known {
		conn.FailSession(s.target.SessionID, cdp.ErrSessionGone)
	}
}

func (e *epoch) session(id string) *session {
	if id == "" {
		return nil
	}
	e.link.mu.Lock()
	defer e.link.mu.Unlock()
	return e.link.sessions[id]
}

// setUp sends the burst of a new session: everything that must hold before its
// first script runs, and the release last. Nothing in it is awaited; but where there
// is a standby, a popup's release waits until the standby watches the page too, which
// that tells on its own connection.
func (e *epoch) setUp(conn *cdp.Conn, s *session) {
	cmds := append(setup(s.target), s.member.view.Setup(s.target)...)
	cmds = append(cmds, release(""))
	for i := range cmds {
		cmds[i].SessionID = s.target.SessionID
	}
	e.link.mu.Lock()
	s.pending = len(cmds)
	e.link.mu.Unlock()
	s.member.view.Attached(s.target)
	if s.target.Kind == KindPage {
		e.watchSetUp(s)
	}
	last := len(cmds) - 1
	standby := e.link.currentStandby()
	switch {
	case standby == nil || s.target.Kind != KindPage:
		e.post(conn, s, cmds)
	case s.target.Paused && !s.target.blank():
		e.post(conn, s, cmds[:last])
		standby.hold(s.target, func() { e.post(conn, s, cmds[last:]) })
	default:
		e.post(conn, s, cmds)
		standby.follow(s.target, nil)
	}
}

// post sends a part of a set-up. With the answer to its last command the session is
// ready.
func (e *epoch) post(conn *cdp.Conn, s *session, cmds []cdp.Command) {
	conn.Post(cmds, func(i int, result json.RawMessage, err error) {
		s.member.view.SetupReply(s.target, cmds[i].Method, result, err)
		e.link.mu.Lock()
		s.pending--
		ready := s.pending == 0
		if ready {
			s.forgetLocked()
		}
		var waiter chan struct{}
		if ready && s.target.Kind == KindPage {
			waiter = e.link.waiting[s.target.TargetID]
			delete(e.link.waiting, s.target.TargetID)
		}
		e.link.mu.Unlock()
		if ready {
			e.setUpLate(conn, s)
			s.member.view.Ready(s.target)
		}
		if waiter != nil {
			close(waiter)
		}
	})
}

func (e *epoch) setUpLate(conn *cdp.Conn, s *session) {
	late := setupLate(s.target)
	if len(late) == 0 {
		return
	}
	conn.Post(late, func(i int, result json.RawMessage, err error) {
		s.member.view.SetupReply(s.target, late[i].Method, result, err)
	})
}

// watchSetUp has stalled called in time, unless the session ends before.
func (e *epoch) watchSetUp(s *session) {
	e.link.mu.Lock()
	defer e.link.mu.Unlock()
	if e.link.sessions[s.target.SessionID] == s {
		s.stall = time.AfterFunc(e.link.opts.SetupTimeout, func() { e.stalled(s) })
	}
}

// forgetLocked stops the watch over the set-up.
func (s *session) forgetLocked() {
	if s.stall != nil {
		s.stall.Stop()
	}
}

// stalled tells the view of a page whose set-up is not answered, if it still
// has its session.
func (e *epoch) stalled(s *session) {
	e.link.mu.Lock()
	lives := e.link.sessions[s.target.SessionID] == s && s.pending > 0
	e.link.mu.Unlock()
	if lives {
		s.member.view.Stalled(s.target)
	}
}
