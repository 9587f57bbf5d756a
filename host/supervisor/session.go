package supervisor

import (
	"encoding/json"

	"cdphost/host/cdp"
	"cdphost/host/dialog"
	"cdphost/host/link"
)

// sessionState is what is kept of one session beyond its page, guarded by
// Supervisor.mu: its bridge, and what others have switched on there.
type sessionState struct {
	target  link.Target
	ready   bool // the set-up was answered
	bridge  *installed
	shared  interception
	console consoleFlood
}

// openSession makes the state of a new session and returns the bridge's part of
// its set-up.
func (s *Supervisor) openSession(t link.Target) []cdp.Command {
	s.mu.Lock()
	defer s.mu.Unlock()
	ss := &sessionState{target: t, bridge: install(s.settings.Load().Bridge)}
	s.sessions[t.SessionID] = ss
	return ss.bridge.commands(ss.fetchParams())
}

// close ends the timers of a session that is gone.
func (ss *sessionState) close() {
	ss.console.stop()
	for _, c := range ss.shared.paused {
		c.stop()
	}
}

// clearSessionsLocked forgets all sessions.
func (s *Supervisor) clearSessionsLocked() {
	for _, ss := range s.sessions {
		ss.close()
	}
	clear(s.sessions)
}

// closeSessionLocked forgets a session: what a bridge held there went with it. A
// page's end is told in a moment, with its reason.
func (s *Supervisor) closeSessionLocked(t link.Target) {
	if ss := s.sessions[t.SessionID]; ss != nil {
		ss.close()
		delete(s.sessions, t.SessionID)
	}
	s.dropClaimsLocked(onSession(t.SessionID))
	if t.Kind != link.KindPage {
		s.goneLocked(onSession(t.SessionID), dialog.ReasonFrameGone)
	}
}

// replacedLocked ends what a bridge held on an earlier session of a page that
// has a new one.
func (s *Supervisor) replacedLocked(t link.Target) {
	s.goneLocked(func(d *dialog.Dialog) bool {
		return !d.Native() && d.TargetID == t.TargetID && s.sessions[d.SessionID] == nil
	}, dialog.ReasonDisconnect)
}

// setUpAnswered takes what the answer to one command of the set-up tells of the
// bridge: what its scripts are called, and whether requests are intercepted.
// Without interception the scripts would only cost every dialog a failed request.
func (s *Supervisor) setUpAnswered(fx *effects, t link.Target, method string, result json.RawMessage, failed bool) {
	ss := s.sessions[t.SessionID]
	if ss == nil || ss.bridge == nil {
		return
	}
	ss.bridge.answered(fx, t.SessionID, method, result, failed)
}

func (in *installed) answered(fx *effects, session, method string, result json.RawMessage, failed bool) {
	switch {
	case method == pageAddScript && !failed:
		var r struct {
			Identifier string `json:"identifier"`
		}
		if json.Unmarshal(result, &r) != nil {
			return
		}
		in.initScripts = append(in.initScripts, r.Identifier)
		if in.deaf {
			in.removeScripts(fx, session)
		}
	case method == fetchEnable && failed && len(in.setup.FetchPatterns) > 0:
		in.deaf = true
		in.removeScripts(fx, session)
	}
}

func (in *installed) removeScripts(fx *effects, session string) {
	for _, id := range in.initScripts {
		fx.post(session, pageRemoveScript, nil, nil)
		fx.posts[len(fx.posts)-1].cmd.Params = encode(map[string]string{"identifier": id})
	}
	in.initScripts = nil
}
