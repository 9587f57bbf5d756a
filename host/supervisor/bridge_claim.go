package supervisor

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"cdphost/host/cdp"
	"cdphost/host/dialog"
	"cdphost/host/link"
)

// claimed is an event that a bridge has to judge, and then the dialog that it
// became. It is kept until it is settled: nothing drops it.
type claimed struct {
	in    *installed
	claim *Claim
	event BridgeEvent
	// place is where it happened, in the form of a dialog, so that whatever ends
	// dialogs of a place ends it too.
	place   dialog.Dialog
	request string // id of a paused request
	expires time.Time
	settled bool // guarded by Supervisor.mu: judged, released or gone
}

// intercepted takes an event that a bridge, or nobody, wants: it reports true
// when the event is nobody else's.
func (s *Supervisor) intercepted(fx *effects, t link.Target, ev cdp.Event) bool {
	ss := s.sessions[t.SessionID]
	if ss == nil {
		return false
	}
	switch ev.Method {
	case fetchPaused:
		return s.requestPaused(fx, ss, ev)
	case debuggerPaused:
		return s.debuggerPaused(fx, ss, ev)
	case fetchAuthRequired:
		return s.authRequired(fx, ss, ev)
	case debuggerResumed:
		ss.shared.halted = false
		s.goneLocked(s.pausedOn(t.SessionID), dialog.ReasonElsewhere)
	case debuggerScriptParsed:
		if ss.bridge != nil {
			ss.bridge.scripts.parsed(ss.bridge, ev.Params)
		}
		return len(ss.shared.debuggers) == 0
	case runtimeBindingCalled:
		return s.bindingCalled(fx, ss, ev)
	}
	return false
}

// requestPaused claims a request, leaves it to those who intercept, or lets it
// go on at once.
func (s *Supervisor) requestPaused(fx *effects, ss *sessionState, ev cdp.Event) bool {
	var e struct {
		RequestID string `json:"requestId"`
		FrameID   string `json:"frameId"`
		Request   struct {
			URL string `json:"url"`
		} `json:"request"`
	}
	if json.Unmarshal(ev.Params, &e) != nil {
		return false
	}
	own := ss.bridge.claimOf(e.Request.URL) != nil
	if own {
		if asker := s.askerLocked(ss, ev.Params); asker != nil {
			frameID := e.FrameID
			if asker != ss {
				frameID = asker.target.TargetID
			}
			s.claimLocked(fx, ss, asker.bridge, asker.bridge.claimOf(e.Request.URL), ev, frameID).request = e.RequestID
			return true
		}
	}
	if !own && s.takes(fx, ss, e.RequestID, ev) {
		return false
	}
	fx.continueRequest(ss.target.SessionID, e.RequestID)
	return true
}

// claimOf returns the claim on requests to a url, nil when there is none. Such a
// request pauses for nobody else, with the token or without.
func (in *installed) claimOf(url string) *Claim {
	if in == nil {
		return nil
	}
	for i := range in.setup.Claims {
		if c := &in.setup.Claims[i]; c.Method == fetchPaused && c.URLPrefix != "" && strings.HasPrefix(url, c.URLPrefix) {
			return c
		}
	}
	return nil
}

// askerLocked returns the session whose token a request carries, nil when it
// carries none. It is mostly the one that the request pauses on; but the first
// document of a popup has the script of the popup's session, and pauses on that
// of its opener, as if it were the opener's.
func (s *Supervisor) askerLocked(ss *sessionState, params []byte) *sessionState {
	if carries(params, ss.bridge.token) {
		return ss
	}
	for _, other := range s.sessions {
		if in := other.bridge; in != nil && in.name() == ss.bridge.name() && carries(params, in.token) {
			return other
		}
	}
	return nil
}

func carries(params []byte, token string) bool { return bytes.Contains(params, []byte(token)) }

// debuggerPaused claims a pause of the bridge's own script, leaves it to those
// who debug, or resumes at once.
func (s *Supervisor) debuggerPaused(fx *effects, ss *sessionState, ev cdp.Event) bool {
	var e struct {
		CallFrames []struct {
			FunctionName string `json:"functionName"`
			Location     struct {
				ScriptID string `json:"scriptId"`
			} `json:"location"`
		} `json:"callFrames"`
	}
	if in := ss.bridge; in != nil && json.Unmarshal(ev.Params, &e) == nil && len(e.CallFrames) > 0 {
		top := &e.CallFrames[0]
		own, ours := in.scripts.byID[top.Location.ScriptID]
		for i := range in.setup.Claims {
			c := &in.setup.Claims[i]
			if ours && c.Method == debuggerPaused && c.ScriptURL == own.url && c.FunctionName == top.FunctionName {
				s.claimLocked(fx, ss, in, c, ev, own.frameID)
				return true
			}
		}
	}
	if len(ss.shared.debuggers) > 0 {
		ss.shared.halted = true
		return false
	}
	fx.post(ss.target.SessionID, debuggerResume, nil, nil)
	return true
}

func (s *Supervisor) bindingCalled(fx *effects, ss *sessionState, ev cdp.Event) bool {
	in := ss.bridge
	if in == nil || !carries(ev.Params, in.token) {
		return false
	}
	var e struct {
		Name    string `json:"name"`
		Context int64  `json:"executionContextId"`
	}
	if json.Unmarshal(ev.Params, &e) != nil {
		return false
	}
	for i := range in.setup.Claims {
		c := &in.setup.Claims[i]
		if c.Method == runtimeBindingCalled && c.Binding == e.Name {
			frameID := ""
			if p := s.pageLocked(ss.target.PageID); p != nil {
				frameID = s.frameOfContext(p, ss.target.SessionID, e.Context)
			}
			s.claimLocked(fx, ss, in, c, ev, frameID)
			return true
		}
	}
	return false
}

// claimLocked keeps an event and has the bridge judge it. The event belongs to
// the page that its frame is in, which is not always the session's: see
// askerLocked.
func (s *Supervisor) claimLocked(fx *effects, ss *sessionState, in *installed, claim *Claim, ev cdp.Event, frameID string) *claimed {
	t := ss.target
	if frameID == "" {
		frameID = t.TargetID
	}
	p, url := s.placeLocked(frameID, t.PageID)
	c := &claimed{
		in: in, claim: claim, expires: time.Now().Add(bridgePatience),
		event: BridgeEvent{
			Task: s.key, SessionID: t.SessionID, Method: ev.Method,
			Params: bytes.Clone(ev.Params), Token: in.token,
		},
	}
	c.place.FrameID, c.place.URL, c.place.SessionID, c.place.Epoch = frameID, url, t.SessionID, t.Epoch
	c.place.Bridge, c.place.Readable = in.name(), claim.Method == debuggerPaused
	c.place.TargetID = t.PageID
	if p != nil {
		c.place.TargetID, c.place.TabID, c.event.TabID = p.TargetID, p.TabID, p.TabID
	}
	s.claims[c] = struct{}{}
	fx.work = append(fx.work, func() { s.judge(c) })
	return c
}

// placeLocked finds the page that a frame is in, and the frame's url.
func (s *Supervisor) placeLocked(frameID, pageID string) (*pageState, string) {
	for _, p := range s.pages {
		if f, ok := p.table.Freeze().Lookup(frameID); ok {
			return p, f.URL
		}
	}
	return s.pageLocked(pageID), ""
}

// dropClaimsLocked ends the unjudged claims of a place that is gone.
func (s *Supervisor) dropClaimsLocked(match func(*dialog.Dialog) bool) {
	for c := range s.claims {
		if match(&c.place) {
			s.settleLocked(c)
		}
	}
}

// settleLocked ends the wait for a judgement. It reports false when it has ended
// before.
func (s *Supervisor) settleLocked(c *claimed) bool {
	delete(s.claims, c)
	was := c.settled
	c.settled = true
	return !was
}

func onSession(id string) func(*dialog.Dialog) bool {
	return func(d *dialog.Dialog) bool { return !d.Native() && d.SessionID == id }
}

// pausedOn matches what a pause of the session holds, beside dialogs whose
// answer is on its way: that answer ends the pause itself.
func (s *Supervisor) pausedOn(session string) func(*dialog.Dialog) bool {
	return func(d *dialog.Dialog) bool {
		return !d.Native() && d.Readable && d.SessionID == session && d.State != dialog.Answering
	}
}
