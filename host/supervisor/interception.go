package supervisor

import (
	"encoding/json"
	"slices"

	"cdphost/host/cdp"
	"cdphost/sdk/fault"
)

// Owner is somebody who has switched something of a session on. Two of them are
// the same when their ID is. Those of one name are one to others: they are asked
// at once, in ascending order of Priority.
type Owner struct {
	Name     string
	ID       any
	Priority int
}

// interception is what others than the host's bridge use of a session: CDP knows
// one set of Fetch patterns and one Debugger for each session, so they are shared.
type interception struct {
	fetch     []fetchWish
	debuggers []Owner
	paused    map[string]*chain // requests that wait for others, by id
	seq       uint64            // of the newest chain
	halted    bool              // a pause was left to the debuggers
	uses      []use
}

type fetchWish struct {
	owner    Owner
	patterns []json.RawMessage
	matchers []requestPattern
	auth     bool
}

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

// FetchDisabled notes that owner intercepts no longer, and passes on the requests
// that pause for it. known is false for a session that the host does not share.
func (s *Supervisor) FetchDisabled(session string, owner Owner) (known bool) {
	s.update(func(fx *effects) {
		ss := s.sessions[session]
		if ss == nil {
			return
		}
		known = true
		ss.shared.dropFetch(owner)
		s.leave(fx, ss, owner)
	})
	return known
}

func (i *interception) dropFetch(owner Owner) {
	i.fetch = slices.DeleteFunc(i.fetch, func(w fetchWish) bool { return w.owner.ID == owner.ID })
}

// exceptLocked lists who is not told of a paused request because he intercepts on
// the session, and it is not his turn.
func (s *Supervisor) exceptLocked(ev cdp.Event) []string {
	if ev.Method != fetchPaused && ev.Method != fetchAuthRequired {
		return nil
	}
	ss := s.sessions[ev.SessionID]
	if ss == nil || len(ss.shared.fetch) == 0 {
		return nil
	}
	turn := ""
	if c := s.chainLocked(ev.SessionID, requestID(ev.Params)); c != nil {
		turn = c.turn()
	}
	var out []string
	for _, w := range ss.shared.fetch {
		if w.owner.Name != turn {
			out = append(out, w.owner.Name)
		}
	}
	return out
}

// wanting lists whose patterns match a request; auth asks for those who answer
// requests for credentials.
func (i *interception) wanting(r *pausedRequest, auth bool) []Owner {
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
func (s *Supervisor) authRequired(fx *effects, ss *sessionState, ev cdp.Event) (nobodys bool) {
	id := requestID(ev.Params)
	if id == "" || s.takes(fx, ss, id, ev) {
		return false
	}
	fx.posts = append(fx.posts, post{cmd: defaultAuth(ss.target.SessionID, id)})
	return true
}
