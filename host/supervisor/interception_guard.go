package supervisor

import (
	"encoding/json"
	"slices"
	"strings"

	"cdphost/host/cdp"
	"cdphost/sdk/fault"
)

// Blinds says why a command of a tool or a plugin must not be sent: it would
// blind the session's dialog bridge, or answer a dialog that it holds. nil lets
// it pass. Fetch.enable, Fetch.disable, Debugger.enable and Debugger.disable are
// shared instead: see FetchEnabled, DebuggerUser and the others.
func (s *Supervisor) Blinds(cmd cdp.Command) error {
	domain, _, _ := strings.Cut(cmd.Method, ".")
	if domain != "Fetch" && domain != "Debugger" && domain != "Page" && domain != "Runtime" {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	ss := s.sessions[cmd.SessionID]
	if ss == nil || ss.bridge == nil {
		return nil
	}
	if id := s.holdsLocked(ss, cmd); id != "" {
		return fault.New(fault.BlockedByDialog, "%s is refused: it would answer the dialog %s; answer it with browser_dialog", cmd.Method, id).
			With("dialog_id", id)
	}
	if ss.bridge.relies(cmd) {
		return fault.New(fault.NotYours, "%s is refused: the dialog bridge %s relies on it; set browser.dialog_bridge to none to do without",
			cmd.Method, ss.bridge.name()).With("owner", ss.bridge.name())
	}
	return nil
}

// relies reports whether the command would switch off what the bridge needs.
func (in *installed) relies(cmd cdp.Command) bool {
	var p struct {
		Identifier string `json:"identifier"`
		Name       string `json:"name"`
		Enabled    bool   `json:"enabled"`
		Active     bool   `json:"active"`
		Skip       bool   `json:"skip"`
	}
	_ = json.Unmarshal(cmd.Params, &p) // what is not there is false, as Chrome would take it or refuse it
	switch cmd.Method {
	case pageRemoveScript:
		return slices.Contains(in.initScripts, p.Identifier)
	case pageSetBypassCSP:
		return in.setup.BypassCSP && !p.Enabled
	case runtimeRemoveBinding:
		return slices.Contains(in.setup.Bindings, p.Name)
	case debuggerBlackbox, "Debugger.pause":
		// Everything but the bridge's script is blackboxed: a pause would come there.
		return in.setup.Debugger != nil
	case "Debugger.setSkipAllPauses":
		return in.setup.Debugger != nil && p.Skip
	case "Debugger.setBreakpointsActive":
		return in.setup.Debugger != nil && !p.Active
	}
	return false
}

// steps are the commands that end a pause.
var steps = []string{
	debuggerResume, "Debugger.stepInto", "Debugger.stepOver", "Debugger.stepOut",
	"Debugger.continueToLocation", "Debugger.restartFrame", "Debugger.setScriptSource",
}

// holdsLocked names the bridged dialog that a command would answer.
func (s *Supervisor) holdsLocked(ss *sessionState, cmd cdp.Command) string {
	request := ""
	if strings.HasPrefix(cmd.Method, "Fetch.") {
		request = requestID(cmd.Params)
	}
	ends := slices.Contains(steps, cmd.Method)
	if request == "" && !ends {
		return ""
	}
	for id, c := range s.held {
		if c.event.SessionID != ss.target.SessionID {
			continue
		}
		if ends && c.claim.Method == debuggerPaused || request != "" && request == c.request {
			return id
		}
	}
	return ""
}

func requestID(params json.RawMessage) string {
	var p struct {
		RequestID string `json:"requestId"`
	}
	if json.Unmarshal(params, &p) != nil {
		return ""
	}
	return p.RequestID
}
