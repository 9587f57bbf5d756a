package supervisor

import (
	"encoding/json"

	"cdphost/host/cdp"
	"cdphost/host/dialog"
)

// switchBridges gives every session the bridge that the settings name. A session
// whose set-up is still on its way is seen to when it is answered.
func (s *Supervisor) switchBridges() {
	want := s.settings.Load().Bridge
	var stale []*sessionState
	s.mu.Lock()
	for _, ss := range s.sessions {
		if ss.ready && !ss.bridge.serves(want) {
			stale = append(stale, ss)
		}
	}
	s.mu.Unlock()
	for _, ss := range stale {
		s.goWork(func() { s.switchBridge(ss, want) })
	}
}

// switchBridge replaces the bridge of a session. Dialogs that the old one holds
// are handed to the browser's own dialogs first: taken away under a page, a
// bridge would answer it with nothing.
func (s *Supervisor) switchBridge(ss *sessionState, want Bridge) {
	var old, fresh *installed
	var release []*claimed
	session := ss.target.SessionID
	s.update(func(*effects) {
		if s.sessions[session] != ss || ss.bridge.serves(want) {
			return
		}
		old, fresh = ss.bridge, install(want)
		if old == nil && fresh == nil {
			return
		}
		ss.bridge = fresh
		release = s.takeHeldLocked(session)
	})
	if old == nil && fresh == nil {
		return
	}
	for _, c := range release {
		s.releasePage(c)
	}
	var cmds []cdp.Command
	s.update(func(*effects) {
		cmds = old.undo(len(ss.shared.debuggers) == 0)
		fetch := ss.fetchCommand()
		if old.intercepts() && fetch.Method == fetchDisable {
			cmds = append(cmds, fetch)
			fetch.Params = nil
		}
		cmds = append(cmds, fresh.commands(fetch.Params)...)
		if fresh == nil && fetch.Params != nil {
			cmds = append(cmds, fetch)
		}
	})
	for i := range cmds {
		cmds[i].SessionID = session
	}
	s.member.Post(cmds, func(i int, result json.RawMessage, err error) {
		s.update(func(fx *effects) {
			if fresh != nil && ss.bridge == fresh {
				fresh.answered(fx, session, cmds[i].Method, result, err != nil)
			}
		})
	})
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
