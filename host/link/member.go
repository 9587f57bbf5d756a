package link

import (
	"context"
	"encoding/json"

	"cdphost/host/cdp"
	"cdphost/sdk/fault"
)

// Member is one task's membership in a link. Its methods may be called at once;
// after Leave they fail.
type Member struct {
	link    *Link
	view    View
	slot    chan struct{} // held while a page is made, so that one context is made
	context string        // browser context of its own; "" where there is none. Guarded by link.mu
	left    bool          // guarded by link.mu
}

// Join makes view a member. It sends nothing; the task's browser context is made
// with its first page.
func (l *Link) Join(view View) (*Member, error) {
	m := &Member{link: l, view: view, slot: make(chan struct{}, 1)}
	l.mu.Lock()
	if l.ended != nil {
		defer l.mu.Unlock()
		return nil, l.ended
	}
	l.members[m] = struct{}{}
	epoch, up := l.epoch, l.conn != nil
	l.mu.Unlock()
	if !up {
		return m, nil
	}
	view.EpochBegan(epoch, true)
	l.mu.Lock()
	up = l.conn != nil && l.epoch == epoch
	l.mu.Unlock()
	if !up { // it ended before the view knew that it had begun
		view.EpochEnded(epoch, errRestoring(), false)
	}
	return m, nil
}

func (m *Member) epochBegan(epoch uint64, fresh bool) {
	if fresh {
		m.link.mu.Lock()
		m.context = ""
		m.link.mu.Unlock()
	}
	m.view.EpochBegan(epoch, fresh)
}

// Link returns the link that m is a member of.
func (m *Member) Link() *Link { return m.link }

// Context returns the id of the task's own browser context, or "" when it has
// none: before its first page, in a browser that a user owns, or where contexts
// can't be made.
func (m *Member) Context() string {
	m.link.mu.Lock()
	defer m.link.mu.Unlock()
	return m.context
}

// Call sends one command on one of the member's sessions, or at browser level
// with an empty session id, and returns the raw result. A session that is not
// the member's, or is of an earlier epoch, is fault.SessionNotFound and nothing
// is sent. Other errors are those of cdp.Conn.Call.
func (m *Member) Call(ctx context.Context, cmd cdp.Command, opts ...cdp.CallOption) (json.RawMessage, error) {
	conn, err := m.connFor(cmd.SessionID, 0)
	if err != nil {
		return nil, err
	}
	return conn.Call(ctx, cmd, opts...)
}

// CallAt is Call pinned to an epoch: when the link is in another one by now, the
// error is fault.CaptureInvalid and nothing is sent.
func (m *Member) CallAt(ctx context.Context, epoch uint64, cmd cdp.Command, opts ...cdp.CallOption) (json.RawMessage, error) {
	conn, err := m.connFor(cmd.SessionID, epoch)
	if err != nil {
		return nil, err
	}
	return conn.Call(ctx, cmd, opts...)
}

// Post sends commands as one burst on the control lane and returns at once.
// reply, which may be nil, runs on the reader goroutine once for each command.
// Without a connection nothing is sent and reply gets the error right away.
func (m *Member) Post(cmds []cdp.Command, reply func(i int, result json.RawMessage, err error)) {
	for i := range cmds {
		conn, err := m.connFor(cmds[i].SessionID, 0)
		if err != nil {
			if reply != nil {
				for j := range cmds {
					reply(j, nil, err)
				}
			}
			return
		}
		if i == len(cmds)-1 {
			conn.Post(cmds, reply)
		}
	}
}

// connFor returns the connection to send on; epoch 0 is the one in use.
func (m *Member) connFor(sessionID string, epoch uint64) (*cdp.Conn, error) {
	if sessionID != "" && epoch == 0 {
		if conn := m.standbyFor(sessionID); conn != nil {
			return conn, nil
		}
	}
	l := m.link
	l.mu.Lock()
	defer l.mu.Unlock()
	conn, now, err := l.currentLocked()
	if epoch != 0 && (err != nil || now != epoch || m.left) {
		return nil, fault.New(fault.CaptureInvalid, "the connection of this handle is gone; capture again and check again")
	}
	if err != nil {
		return nil, err
	}
	if m.left {
		return nil, fault.New(fault.NoSupervisor, "the task has left its browser")
	}
	if sessionID != "" {
		if s := l.sessions[sessionID]; s == nil || s.member != m {
			return nil, fault.New(fault.SessionNotFound,
				"the session %s is not one of this task's: its page or frame is gone, or the connection was restored since", sessionID)
		}
	}
	return conn, nil
}

// OwnsSession reports whether a session of the current epoch is the member's.
func (m *Member) OwnsSession(id string) bool {
	m.link.mu.Lock()
	defer m.link.mu.Unlock()
	s := m.link.sessions[id]
	return s != nil && s.member == m
}

// OwnsTarget reports whether a page, or a target that one of the member's
// sessions is attached to, is the member's.
func (m *Member) OwnsTarget(id string) bool {
	m.link.mu.Lock()
	defer m.link.mu.Unlock()
	if m.link.targets[id] == m {
		return true
	}
	for _, s := range m.link.sessions {
		if s.member == m && s.target.TargetID == id {
			return true
		}
	}
	return false
}

// TargetOf returns what is attached by one of the member's sessions.
func (m *Member) TargetOf(sessionID string) (Target, bool) {
	m.link.mu.Lock()
	defer m.link.mu.Unlock()
	s := m.link.sessions[sessionID]
	if s == nil || s.member != m {
		return Target{}, false
	}
	return s.target, true
}
