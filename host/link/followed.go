package link

import (
	"encoding/json"
	"sync"
	"time"

	"cdphost/host/cdp"

	browserdom "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
)

// followed is a page as the standby has it, guarded by standby.mu.
type followed struct {
	target  Target // SessionID is the standby's own, "" while it attaches
	watches bool   // its Page domain is on
	last    Overheard
}

// holdForStandby bounds how long a new page waits for the standby, which takes two round
// trips: some milliseconds, or tens where the processor is busy. A page is never lost for
// a standby that does not answer.
const holdForStandby = 250 * time.Millisecond

// hold has the standby follow a page that waits for its release, and calls release
// once: when the standby watches the page, can't, or takes too long.
func (s *standby) hold(t Target, release func()) {
	once := sync.OnceFunc(release)
	late := time.AfterFunc(holdForStandby, once)
	s.follow(t, func() {
		late.Stop()
		once()
	})
}

// follow attaches to a page and turns its Page domain on. done, which may be nil, is
// called when the browser has done that, or when it is known that it will not.
func (s *standby) follow(t Target, done func()) {
	if done == nil {
		done = func() {}
	}
	f := &followed{target: t}
	f.target.SessionID, f.target.Epoch = "", StandbyEpoch
	s.mu.Lock()
	known := s.pages[t.TargetID] != nil
	if !known {
		s.pages[t.TargetID] = f
	}
	s.mu.Unlock()
	if known {
		done()
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
			done()
			return
		}
		id := string(r.SessionID)
		s.mu.Lock()
		f.target.SessionID, s.sessions[id] = id, f
		s.mu.Unlock()
		if s.link.memberOf(t.TargetID) == nil { // its task left meanwhile
			s.leave([]string{t.TargetID})
			done()
			return
		}
		s.watch(f, id, done)
	})
}

// watch turns the Page domain of a session on. A page that waits for its release may
// not acknowledge that, but the browser does its part as soon as it reads it; so the
// answer to the command behind it tells.
func (s *standby) watch(f *followed, session string, done func()) {
	s.conn.Post([]cdp.Command{command(session, page.CommandEnable, nil), {Method: browserdom.CommandGetVersion}},
		func(i int, _ json.RawMessage, _ error) {
			if i == 1 {
				s.mu.Lock()
				f.watches = true
				s.mu.Unlock()
				done()
			}
		})
}

// leave lets go of pages whose task has left, see letGo. The standby of a shared link
// lives on, and would keep their dialogs from whoever uses them next.
func (s *standby) leave(targetIDs []string) <-chan struct{} {
	var sessions []string
	s.mu.Lock()
	for _, id := range targetIDs {
		f := s.pages[id]
		if f == nil || f.target.SessionID == "" {
			continue
		}
		delete(s.pages, id)
		delete(s.sessions, f.target.SessionID)
		sessions = append(sessions, f.target.SessionID)
	}
	s.mu.Unlock()
	return letGo(s.conn, sessions)
}

// StandbyWatch turns the Page domain of the standby's session on a page off or on
// again. Off, the browser forgets what dialogs the session could answer, and so does
// the standby. done, which may be nil, is called when the browser has answered, at once
// where there is no such session.
func (m *Member) StandbyWatch(targetID string, on bool, done func()) {
	if done == nil {
		done = func() {}
	}
	s := m.link.currentStandby()
	if s == nil {
		done()
		return
	}
	s.mu.Lock()
	f := s.pages[targetID]
	session := ""
	if f != nil {
		session = f.target.SessionID
		if !on {
			f.watches, f.last = false, Overheard{}
		}
	}
	s.mu.Unlock()
	switch {
	case session == "":
		done()
	case on:
		s.watch(f, session, done)
	default:
		s.conn.Post([]cdp.Command{command(session, page.CommandDisable, nil)}, func(int, json.RawMessage, error) { done() })
	}
}

// StandbyWatches reports whether dialogs that open on a page from now on stay
// answerable while the link's own connection is down.
func (m *Member) StandbyWatches(targetID string) bool {
	s := m.link.currentStandby()
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.pages[targetID]
	return f != nil && f.watches
}

// standbyFor returns the connection of a standby's session.
func (m *Member) standbyFor(sessionID string) *cdp.Conn {
	s := m.link.currentStandby()
	if s == nil {
		return nil
	}
	s.mu.Lock()
	f := s.sessions[sessionID]
	s.mu.Unlock()
	if f == nil || m.link.memberOf(f.target.TargetID) != m {
		return nil
	}
	return s.conn
}
