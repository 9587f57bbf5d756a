package supervisor

import (
	"encoding/json"

	"cdphost/host/cdp"
	"cdphost/host/dialog"
)

// switchBridges gives every session the bridge that the settings name. A session
// whose set-up is still on its way is seen to when it is answered.
func (s *Supervisor) switchBridges() {
	s.update(func(fx *effects) {
		for _, ss := range s.sessions {
			s.checkBridgeLocked(fx, ss)
		}
	})
}

// checkBridgeLocked has the bridge of a session replaced when it is not the one
// that the settings name.
func (s *Supervisor) checkBridgeLocked(fx *effects, ss *sessionState) {
	if ss.ready && !ss.bridge.serves(s.settings.Load().Bridge) {
		fx.work = append(fx.work, func() { s.switchBridge(ss) })
	}
}

// switchBridge replaces the bridge of a session. Dialogs that the old one holds
// are handed to the browser's own dialogs first: taken away under a page, a
// bridge would answer it with nothing.
func (s *Supervisor) switchBridge(ss *sessionState) {
	var old, fresh *installed
	var release []*claimed
	session := ss.target.SessionID
	s.update(func(*effects) {
		want := s.settings.Load().Bridge
		if s.sessions[session] != ss || !ss.ready || ss.bridge.serves(want) {
			return
		}
		old, fresh = ss.bridge, install(want)
		if old == nil && fresh == nil {
			return
		}
		ss.bridge, ss.ready = fresh, false
		release = s.takeHeldLocked(session)
	})
	if old == nil && fresh == nil {
		return
	}
	for _, c := range release {
		s.releasePage(c, bridgeSwitched)
	}
	cmds := s.switching(ss, old, fresh)
	left := len(cmds)
	if left == 0 {
		s.update(func(*effects) { ss.ready = true })
	}
	s.member.Post(cmds, func(i int, result json.RawMessage, err error) {
		s.update(func(fx *effects) {
			if fresh != nil {
				fresh.answered(fx, session, cmds[i].Method, result, err != nil)
			}
			if left--; left == 0 {
				ss.ready = true
				s.checkBridgeLocked(fx, ss)
			}
		})
	})
}

// switching are the commands that take old off a session and put fresh on it.
func (s *Supervisor) switching(ss *sessionState, old, fresh *installed) []cdp.Command {
	s.mu.Lock()
	defer s.mu.Unlock()
	cmds := old.undo(len(ss.shared.debuggers) == 0)
	var patterns json.RawMessage
	if old.intercepts() || fresh.intercepts() {
		if fetch := ss.fetchCommand(); fetch.Method == fetchEnable {
			patterns = fetch.Params
		} else {
			cmds = append(cmds, fetch)
		}
	}
	if fresh == nil && patterns != nil {
		cmds = append(cmds, cdp.Command{Method: fetchEnable, Params: patterns})
	}
	cmds = append(cmds, fresh.commands(patterns)...)
	for i := range cmds {
		cmds[i].SessionID = ss.target.SessionID
	}
	return cmds
}

func (in *installed) intercepts() bool { return in != nil && len(in.setup.FetchPatterns) > 0 }

// takeHeldLocked ends the claims and dialogs that a bridge has on a session, and
// returns them to be released. An answer on its way is left to itself.
func (s *Supervisor) takeHeldLocked(session string) []*claimed {
	var out []*claimed
	for c := range s.claims {
		if c.event.SessionID == session && s.settleLocked(c) {
			out = append(out, c)
		}
	}
	for id, c := range s.held {
		d, ok := s.dialogs.Lookup(id)
		if c.event.SessionID != session || !ok || d.State == dialog.Answering {
			continue
		}
		out = append(out, c)
		s.goneLocked(func(d *dialog.Dialog) bool { return d.ID == id }, dialog.ReasonReleased)
	}
	return out
}

// BridgesSettled reports whether every session has the bridge that the settings
// name, acknowledged by the browser.
func (s *Supervisor) BridgesSettled() bool {
	want := s.settings.Load().Bridge
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, ss := range s.sessions {
		if !ss.ready || !ss.bridge.serves(want) {
			return false
		}
	}
	return true
}
