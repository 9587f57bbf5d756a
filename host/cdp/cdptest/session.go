package cdptest

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
)

// session is one client's view of a target, or of the browser when target is nil.
type session struct {
	id      string
	conn    *conn
	target  *target
	parent  *session // the session that attached it
	auto    bool     // attached by parent's auto-attach
	enabled map[string]bool

	attach   *autoAttach // nil: off
	discover targetFilter
	untold   *target // the new target that Target.targetCreated has not named yet
	// attachFirst is true when auto-attach was on before discovery: then a new target is attached
	// before it is told of.
	attachFirst bool
	lifecycle   bool
	scripts     []initScript
	scriptIDs   int
}

// initScript is a script to evaluate on new documents.
type initScript struct{ id, source string }

// queued is a command that waits for a renderer.
type queued struct {
	ses *session
	req *Request
}

// event sends an event on the session.
func (ses *session) event(method string, params any) {
	ses.conn.out.put(eventMessage(ses.id, method, mustJSON(params)))
}

// answer sends the reply to a command, unless it is for later.
func (ses *session) answer(req *Request, reply Reply) {
	if reply.kind == replyNow {
		req.Answer(reply)
	}
}

// on tells whether a domain is enabled.
func (ses *session) on(domain string) bool { return ses.enabled[domain] }

// end takes the session and those under it away, without a word to its client.
func (ses *session) end() {
	for _, child := range sortedSessions(ses.conn) {
		if child.parent == ses {
			child.end()
		}
	}
	delete(ses.conn.sessions, ses.id)
	t := ses.target
	t.sessions = slices.DeleteFunc(t.sessions, func(other *session) bool { return other == ses })
	t.queue = slices.DeleteFunc(t.queue, func(q queued) bool { return q.ses == ses })
	if len(t.sessions) == 0 && !t.gone {
		t.infoChanged()
	}
	for _, d := range t.dialogs {
		delete(d.handlers, ses)
	}
	t.letGo(ses)
}

// detach ends the session and tells its client.
func (ses *session) detach() {
	if ses.conn.sessions[ses.id] == nil {
		return
	}
	ses.parent.event("Target.detachedFromTarget", M{"sessionId": ses.id, "targetId": ses.target.id})
	ses.end()
}

// sortedSessions returns the sessions of a socket in the order in which they were made.
func sortedSessions(c *conn) []*session {
	return slices.SortedFunc(maps.Values(c.sessions), func(a, b *session) int { return cmp.Compare(a.id, b.id) })
}

// autoAttach is what Target.setAutoAttach asked for.
type autoAttach struct {
	wait   bool
	filter targetFilter
}

// targetFilter is Chrome's list of rules: the first that matches a type decides, none excludes.
type targetFilter []filterRule

type filterRule struct {
	Type    string `json:"type"`
	Exclude bool   `json:"exclude"`
}

// defaultFilter is what Chrome takes when a command gives no filter.
var defaultFilter = targetFilter{{Type: "browser", Exclude: true}, {Type: "tab", Exclude: true}, {}}

func (f targetFilter) takes(kind string) bool {
	for _, rule := range f {
		if rule.Type == "" || rule.Type == kind {
			return !rule.Exclude
		}
	}
	return false
}

// filterOf returns the filter of a command's params.
func filterOf(params json.RawMessage) targetFilter {
	var p struct {
		Filter *targetFilter `json:"filter"`
	}
	if json.Unmarshal(params, &p) == nil && p.Filter != nil {
		return *p.Filter
	}
	return defaultFilter
}
