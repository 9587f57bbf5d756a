package link

import (
	"errors"
	"strings"

	"cdphost/host/cdp"

	"github.com/chromedp/cdproto/target"
)

// attached gives a new session to the task it belongs to. A page that belongs to
// nobody is released first and then let go: detached while it is paused, it
// would stay empty for ever.
func (e *epoch) attached(conn *cdp.Conn, parent string, p *target.EventAttachedToTarget) {
	if p.TargetInfo == nil {
		return
	}
	t := Target{
		Kind: Kind(p.TargetInfo.Type), Epoch: e.number,
		SessionID: string(p.SessionID), TargetID: string(p.TargetInfo.TargetID), PageID: string(p.TargetInfo.TargetID),
		ParentSession: parent, ParentFrameID: string(p.TargetInfo.ParentFrameID),
		ContextID: string(p.TargetInfo.BrowserContextID), URL: p.TargetInfo.URL, Title: p.TargetInfo.Title,
		OpenerID: string(p.TargetInfo.OpenerID), OpenerFrameID: string(p.TargetInfo.OpenerFrameID),
		Subtype: p.TargetInfo.Subtype, Paused: p.WaitingForDebugger,
	}
	if t.Kind == KindPage {
		e.takeOver(&t)
	}
	s := e.link.claim(&t)
	if s == nil {
		conn.Post([]cdp.Command{
			release(t.SessionID),
			command(parent, target.CommandDetachFromTarget, &target.DetachFromTargetParams{SessionID: p.SessionID}),
		}, nil)
		return
	}
	if !s.extra {
		e.setUp(conn, s)
	}
}

// claim records the session of t and returns it, or nil when no task owns
// t.
func (l *Link) claim(t *Target) *session {
	l.mu.Lock()
	defer l.mu.Unlock()
	var m *Member
	switch t.Kind {
	case KindPage:
		m = l.ownerLocked(t)
	case KindIframe:
		if parent := l.sessions[t.ParentSession]; parent != nil {
			m = parent.member
			t.PageID = parent.target.PageID
		}
	}
	if m == nil {
		return nil
	}
	for _, s := range l.sessions {
		if s.target.TargetID == t.TargetID && !s.extra {
			// Somebody asked for a second session on it. It is theirs: the link
			// neither sets it up nor takes state from it.
			s := &session{target: *t, member: m, extra: true}
			l.sessions[t.SessionID] = s
			return s
		}
	}
	if t.Kind == KindPage {
		l.targets[t.TargetID] = m
		l.urls[t.TargetID] = t.URL
	}
	s := &session{target: *t, member: m}
	l.sessions[t.SessionID] = s
	return s
}

// ownerLocked says whose a page is: by an earlier claim, its browser context,
// its opener, or because only one task can be meant.
func (l *Link) ownerLocked(t *Target) *Member {
	if m := l.knownOwnerLocked(t); m != nil || t.OpenerID != "" || isInternal(t.URL) {
		return m
	}
	return l.creating
}

func (l *Link) knownOwnerLocked(t *Target) *Member {
	if m := l.targets[t.TargetID]; m != nil {
		return m
	}
	if isInternal(t.URL) {
		return nil
	}
	if m := l.contexts[t.ContextID]; m != nil && t.ContextID != "" {
		return m
	}
	return l.targets[t.OpenerID]
}

// isInternal reports whether a page is the browser's own: a task has none of
// these unless it went there.
func isInternal(url string) bool {
	return strings.HasPrefix(url, "chrome://") || strings.HasPrefix(url, "devtools://")
}

// detached forgets a session and those below it, and fails their calls.
func (e *epoch) detached(conn *cdp.Conn, id string) {
	l := e.link
	l.mu.Lock()
	var gone []*session
	if s := l.sessions[id]; s != nil {
		gone = l.takeSessionsLocked(s, nil)
	}
	l.mu.Unlock()
	for _, s := range gone {
		conn.FailSession(s.target.SessionID, cdp.ErrSessionGone)
		if !s.extra {
			s.member.view.Detached(s.target)
		}
	}
	if len(gone) == 0 || gone[len(gone)-1].extra {
		return
	}
	// A page that lives on without its session was detached by somebody else, or
	// was swapped: ask for it again. A closed page refuses, and is then gone.
	if t := gone[len(gone)-1].target; t.Kind == KindPage {
		l.mu.Lock()
		owned := l.targets[t.TargetID] != nil
		l.mu.Unlock()
		if owned {
			l.attachTo(conn, t.TargetID, func(err error) {
				var refused *cdp.Error
				if errors.As(err, &refused) {
					e.destroyed(t.TargetID)
				}
			})
		}
	}
}

// takeSessionsLocked removes s and the sessions below it, deepest first.
func (l *Link) takeSessionsLocked(s *session, out []*session) []*session {
	s.forgetLocked()
	delete(l.sessions, s.target.SessionID)
	for _, c := range l.sessions {
		if c.target.ParentSession == s.target.SessionID {
			out = l.takeSessionsLocked(c, out)
		}
	}
	return append(out, s)
}

// created notices popups where the browser does not attach them by itself.
func (e *epoch) created(conn *cdp.Conn, info *target.Info) {
	l := e.link
	if info == nil || info.Type != string(KindPage) {
		return
	}
	t := Target{TargetID: string(info.TargetID), URL: info.URL, OpenerID: string(info.OpenerID), ContextID: string(info.BrowserContextID)}
	taken := e.takeOver(&t)
	l.mu.Lock()
	wanted := !l.caps.Has[CapRootAttach] && (taken || l.targets[t.TargetID] == nil)
	if wanted {
		m := l.knownOwnerLocked(&t)
		if wanted = m != nil; wanted {
			l.targets[t.TargetID] = m
		}
	}
	l.mu.Unlock()
	if wanted {
		l.attachTo(conn, t.TargetID, nil)
	}
}

func (e *epoch) changed(info *target.Info) {
	if info == nil || info.Type != string(KindPage) {
		return
	}
	l, id := e.link, string(info.TargetID)
	l.mu.Lock()
	m := l.targets[id]
	if m != nil {
		l.urls[id] = info.URL
	}
	l.mu.Unlock()
	if m != nil {
		m.view.TargetChanged(id, info.URL, info.Title)
	}
}

func (e *epoch) destroyed(targetID string) {
	l := e.link
	l.mu.Lock()
	m := l.targets[targetID]
	delete(l.targets, targetID)
	delete(l.urls, targetID)
	if w := l.waiting[targetID]; w != nil {
		delete(l.waiting, targetID)
		close(w)
	}
	l.mu.Unlock()
	if m != nil {
		m.view.Destroyed(targetID)
	}
}

// crashed applies Target.targetCrashed.
func (e *epoch) crashed(conn *cdp.Conn, targetID string) {
	l := e.link
	l.mu.Lock()
	m := l.targets[targetID]
	var dead []*session
	for _, s := range l.sessions {
		if s.target.TargetID == targetID {
			dead = append(dead, s)
			m = s.member
		}
	}
	l.mu.Unlock()
	for _, s := range dead {
		e.rendererGone(conn, s)
	}
	if m != nil {
		m.view.Crashed(targetID)
	}
}
