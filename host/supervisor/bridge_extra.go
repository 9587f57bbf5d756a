package supervisor

import (
	"encoding/json"

	"cdphost/host/cdp"
	"cdphost/host/link"
)

// passedOn takes the bridge's own events from a session that somebody made for
// himself on a target: a request that pauses there too goes on to the session
// that the bridge is on, and a pause is the bridge's to end.
func (s *Supervisor) passedOn(fx *effects, t link.Target, ev cdp.Event) bool {
	if ev.Method != fetchPaused && ev.Method != debuggerPaused {
		return false
	}
	in := s.bridgeOfLocked(t.TargetID)
	if in == nil {
		return false
	}
	var e struct {
		RequestID string `json:"requestId"`
		Request   struct {
			URL string `json:"url"`
		} `json:"request"`
		CallFrames []struct {
			Location struct {
				ScriptID string `json:"scriptId"`
			} `json:"location"`
		} `json:"callFrames"`
	}
	if json.Unmarshal(ev.Params, &e) != nil {
		return false
	}
	if ev.Method == debuggerPaused {
		if len(e.CallFrames) == 0 {
			return false
		}
		_, own := in.scripts.byID[e.CallFrames[0].Location.ScriptID]
		return own
	}
	if in.claimOf(e.Request.URL) == nil {
		return false
	}
	fx.continueRequest(t.SessionID, e.RequestID)
	return true
}

// bridgeOfLocked returns the bridge that is on a target.
func (s *Supervisor) bridgeOfLocked(targetID string) *installed {
	for _, ss := range s.sessions {
		if ss.target.TargetID == targetID {
			return ss.bridge
		}
	}
	return nil
}
