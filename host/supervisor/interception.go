package supervisor

import (
	"encoding/json"

	"cdphost/host/cdp"
	"cdphost/sdk/fault"
)

// Owner is somebody who has switched interception or the debugger on. Two of
// them are the same when their ID is.
type Owner struct {
	Name string
	ID   any
}

// interception is what others than the host's bridge use of a session: CDP knows
// one set of Fetch patterns and one Debugger for each session, so they are shared.
type interception struct {
	fetch     []fetchWish
	debuggers []Owner
	paused    map[string]bool // ids of requests that were left to the fetch owners
}

type fetchWish struct {
	owner    Owner
	patterns []json.RawMessage
	auth     bool
}

// maxPaused bounds the requests that are remembered as paused for others.
const maxPaused = 10000

// fetchParams are the params of the Fetch.enable that serves the bridge and all
// others; nil when nobody intercepts.
func (ss *sessionState) fetchParams() json.RawMessage {
	var patterns []json.RawMessage
	if ss.bridge != nil {
		for _, p := range ss.bridge.setup.FetchPatterns {
			patterns = append(patterns, encode(p))
		}
	}
	auth := false
	for _, w := range ss.shared.fetch {
		patterns = append(patterns, w.patterns...)
		auth = auth || w.auth
	}
	if len(patterns) == 0 {
		return nil
	}
	params := map[string]any{"patterns": patterns}
	if auth {
		params["handleAuthRequests"] = true
	}
	return encode(params)
}

// fetchCommand makes the session intercept what is wanted now.
func (ss *sessionState) fetchCommand() cdp.Command {
	if params := ss.fetchParams(); params != nil {
		return cdp.Command{SessionID: ss.target.SessionID, Method: fetchEnable, Params: params}
	}
	return cdp.Command{SessionID: ss.target.SessionID, Method: fetchDisable}
}

// FetchEnabled notes that owner wants a session's requests intercepted, with the
// params of its Fetch.enable, and returns the params to send instead: they keep
// what the dialog bridge and others intercept.
func (s *Supervisor) FetchEnabled(session string, owner Owner, params json.RawMessage) (json.RawMessage, error) {
	var p struct {
		Patterns []json.RawMessage `json:"patterns"`
		Auth     bool              `json:"handleAuthRequests"`
	}
	if len(params) > 0 {
		if err := json.Unmarshal(params, &p); err != nil {
			return nil, fault.New(fault.InvalidArgument, "the params of Fetch.enable are not its own: %v", err)
		}
	}
	if len(p.Patterns) == 0 {
		p.Patterns = []json.RawMessage{json.RawMessage(`{"urlPattern":"*"}`)}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	ss := s.sessions[session]
	if ss == nil {
		return params, nil // a session that somebody made for himself
	}
	ss.shared.dropFetch(owner)
	ss.shared.fetch = append(ss.shared.fetch, fetchWish{owner, p.Patterns, p.Auth})
	return ss.fetchParams(), nil
}

// FetchDisabled notes that owner intercepts no longer, lets the requests go that
// were paused for nobody else, and returns the command to send instead of
// Fetch.disable. known is false for a session that the host does not share.
func (s *Supervisor) FetchDisabled(session string, owner Owner) (cmd cdp.Command, known bool) {
	s.update(func(fx *effects) {
		ss := s.sessions[session]
		if ss == nil {
			return
		}
		known = true
		if ss.shared.dropFetch(owner) && len(ss.shared.fetch) == 0 {
			for id := range ss.shared.paused {
				fx.continueRequest(session, id)
			}
			ss.shared.paused = nil
		}
		cmd = ss.fetchCommand()
	})
	return cmd, known
}

func (i *interception) dropFetch(owner Owner) bool {
	for n, w := range i.fetch {
		if w.owner.ID == owner.ID {
			i.fetch = append(i.fetch[:n:n], i.fetch[n+1:]...)
			return true
		}
	}
	return false
}

// RequestAnswered notes that a paused request was answered by a command.
func (s *Supervisor) RequestAnswered(session, requestID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ss := s.sessions[session]; ss != nil {
		delete(ss.shared.paused, requestID)
	}
}

// left notes a request that pauses for the fetch owners.
func (i *interception) left(requestID string) {
	if i.paused == nil {
		i.paused = map[string]bool{}
	}
	if len(i.paused) < maxPaused {
		i.paused[requestID] = true
	}
}

// DebuggerEnabled notes that owner uses a session's Debugger, so that its pauses
// are left to it.
func (s *Supervisor) DebuggerEnabled(session string, owner Owner) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ss := s.sessions[session]
	if ss == nil {
		return
	}
	ss.shared.dropDebugger(owner)
	ss.shared.debuggers = append(ss.shared.debuggers, owner)
}

// DebuggerDisabled notes that owner uses the Debugger no longer. It returns the
// name of who still does, "" when nobody: only then may Debugger.disable be sent.
func (s *Supervisor) DebuggerDisabled(session string, owner Owner) (user string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ss := s.sessions[session]
	if ss == nil {
		return ""
	}
	ss.shared.dropDebugger(owner)
	if ss.bridge != nil && ss.bridge.setup.Debugger != nil {
		return ss.bridge.name()
	}
	if n := len(ss.shared.debuggers); n > 0 {
		return ss.shared.debuggers[n-1].Name
	}
	return ""
}

func (i *interception) dropDebugger(owner Owner) {
	for n, o := range i.debuggers {
		if o.ID == owner.ID {
			i.debuggers = append(i.debuggers[:n:n], i.debuggers[n+1:]...)
			return
		}
	}
}
