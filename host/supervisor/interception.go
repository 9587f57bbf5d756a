package supervisor

import (
	"encoding/json"
	"slices"

	"cdphost/host/cdp"
	"cdphost/sdk/fault"
)

// Owner is somebody who has switched something of a session on. Two of them are
// the same when their ID is.
type Owner struct {
	Name string
	ID   any
}

// interception is what others than the host's bridge use of a session: CDP knows
// one set of Fetch patterns and one Debugger for each session, so they are shared.
type interception struct {
	fetch     []fetchWish
	debuggers []Owner
	paused    map[string][]Owner // whom a request waits for, by its id
	halted    bool               // a pause was left to the debuggers
	uses      []use
}

type fetchWish struct {
	owner    Owner
	patterns []json.RawMessage
	matchers []requestPattern
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

// FetchCommand returns the command that makes a session intercept what the dialog
// bridge and all owners want now: Fetch.enable with everybody's patterns, or
// Fetch.disable. It is to be taken at the moment of the write, so that what is
// written last is what is wanted. known is false for a session that the host does
// not share.
func (s *Supervisor) FetchCommand(session string) (cmd cdp.Command, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ss := s.sessions[session]
	if ss == nil {
		return cdp.Command{}, false
	}
	return ss.fetchCommand(), true
}

// FetchEnabled notes that owner wants a session's requests intercepted, with the
// params of its Fetch.enable, in place of what it wanted before. The browser is
// told by FetchCommand. known is false for a session that somebody made for
// himself.
func (s *Supervisor) FetchEnabled(session string, owner Owner, params json.RawMessage) (known bool, err error) {
	var p struct {
		Patterns []json.RawMessage `json:"patterns"`
		Auth     bool              `json:"handleAuthRequests"`
	}
	if len(params) > 0 {
		if err := cdp.Unmarshal(params, &p); err != nil {
			return false, fault.New(fault.InvalidArgument, "the params of Fetch.enable are not its own: %v", err)
		}
	}
	if len(p.Patterns) == 0 {
		p.Patterns = []json.RawMessage{json.RawMessage(`{"urlPattern":"*"}`)}
	}
	wish := fetchWish{owner: owner, patterns: p.Patterns, auth: p.Auth}
	for _, raw := range p.Patterns {
		m, err := newRequestPattern(raw)
		if err != nil {
			return false, fault.New(fault.InvalidArgument, "the patterns of Fetch.enable are not its own: %v", err)
		}
		wish.matchers = append(wish.matchers, m)
	}
	s.update(func(fx *effects) {
		ss := s.sessions[session]
		if ss == nil {
			return
		}
		known = true
		i := slices.IndexFunc(ss.shared.fetch, func(w fetchWish) bool { return w.owner.ID == owner.ID })
		if i < 0 {
			ss.shared.fetch = append(ss.shared.fetch, wish)
			return
		}
		ss.shared.fetch[i] = wish
	})
	return known, nil
}

// FetchDisabled notes that owner intercepts no longer and lets the requests go on
// that were paused for nobody else. known is false for a session that the host
// does not share.
func (s *Supervisor) FetchDisabled(session string, owner Owner) (known bool) {
	s.update(func(fx *effects) {
		ss := s.sessions[session]
		if ss == nil {
			return
		}
		known = true
		ss.shared.dropFetch(owner)
		for id, owners := range ss.shared.paused {
			left := slices.DeleteFunc(slices.Clone(owners), func(o Owner) bool { return o.ID == owner.ID })
			if len(left) > 0 {
				ss.shared.paused[id] = left
				continue
			}
			delete(ss.shared.paused, id)
			fx.continueRequest(session, id)
		}
	})
	return known
}

func (i *interception) dropFetch(owner Owner) {
	i.fetch = slices.DeleteFunc(i.fetch, func(w fetchWish) bool { return w.owner.ID == owner.ID })
}

// RequestAnswered notes that a paused request was answered by a command.
func (s *Supervisor) RequestAnswered(session, requestID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ss := s.sessions[session]; ss != nil {
		delete(ss.shared.paused, requestID)
	}
}

// RequestUser names who else a paused request waits for; "" when it waits for the
// owner of that name too, or for nobody that is known.
func (s *Supervisor) RequestUser(session, requestID, name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	ss := s.sessions[session]
	if ss == nil {
		return ""
	}
	owners := ss.shared.paused[requestID]
	if len(owners) == 0 || slices.ContainsFunc(owners, func(o Owner) bool { return o.Name == name }) {
		return ""
	}
	return owners[0].Name
}

// takes leaves a paused request to those whose patterns match it. It reports
// false when there are none.
func (i *interception) takes(requestID string, event json.RawMessage) bool {
	if len(i.fetch) == 0 {
		return false
	}
	owners := i.wanting(event, false)
	if len(owners) == 0 {
		return false
	}
	if i.paused == nil {
		i.paused = map[string][]Owner{}
	}
	if len(i.paused) < maxPaused {
		i.paused[requestID] = owners
	}
	return true
}

// pausedForOthersLocked reports whether an event is of a request that pauses for
// others than a holder that intercepts on the session, too.
func (s *Supervisor) pausedForOthersLocked(holder string, ev cdp.Event) bool {
	if holder == "" || ev.Method != fetchPaused && ev.Method != fetchAuthRequired {
		return false
	}
	ss := s.sessions[ev.SessionID]
	if ss == nil || !slices.ContainsFunc(ss.shared.fetch, func(w fetchWish) bool { return w.owner.Name == holder }) {
		return false
	}
	owners := ss.shared.wanting(ev.Params, ev.Method == fetchAuthRequired)
	return !slices.ContainsFunc(owners, func(o Owner) bool { return o.Name == holder })
}

// wanting lists whose patterns match the request of an event.
func (i *interception) wanting(event json.RawMessage, auth bool) []Owner {
	r, err := newPausedRequest(event)
	if err != nil {
		return nil
	}
	var owners []Owner
	for _, w := range i.fetch {
		if auth && !w.auth {
			continue
		}
		if slices.ContainsFunc(w.matchers, func(m requestPattern) bool { return m.match(r) }) {
			owners = append(owners, w.owner)
		}
	}
	return owners
}

// authRequired leaves a request for credentials to those who asked for it, or has
// the browser do as it would do alone.
func (s *Supervisor) authRequired(fx *effects, ss *sessionState, event json.RawMessage) (nobodys bool) {
	id := requestID(event)
	if owners := ss.shared.wanting(event, true); len(owners) > 0 || id == "" {
		return false
	}
	fx.posts = append(fx.posts, post{cmd: cdp.Command{
		SessionID: ss.target.SessionID, Method: fetchContinueWithAuth,
		Params: encode(map[string]any{"requestId": id, "authChallengeResponse": map[string]string{"response": "Default"}}),
	}})
	return true
}
