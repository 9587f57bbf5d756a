package supervisor

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"reflect"
	"strings"

	"cdphost/host/cdp"
)

// tokenMark stands in a bridge's set-up for the token of the session.
const tokenMark = "{{token}}"

// installed is a bridge on one session. Its set-up is never changed; the rest is
// guarded by Supervisor.mu.
type installed struct {
	bridge   Bridge
	declared BridgeSetup // as the bridge gave it
	setup    BridgeSetup // with the token filled in
	token    string

	initScripts []string // identifiers, in the order of setup.InitScripts
	deaf        bool     // requests are not intercepted: the scripts had to go
	scripts     ownScripts
}

// install prepares a bridge for one more session; nil where there is none.
func install(b Bridge) *installed {
	if b == nil {
		return nil
	}
	declared, err := b.Setup()
	if err != nil {
		return nil
	}
	in := &installed{bridge: b, declared: declared, token: newToken()}
	in.setup = fill(declared, in.token)
	return in
}

// newToken returns 130 random bits, fit for URLs, scripts and patterns.
func newToken() string { return strings.ToLower(rand.Text()) }

// serves reports whether in is what install would make for b now.
func (in *installed) serves(b Bridge) bool {
	if b == nil || in == nil {
		return b == nil && in == nil
	}
	declared, err := b.Setup()
	return err == nil && in.bridge.Name() == b.Name() && reflect.DeepEqual(declared, in.declared)
}

// name names the bridge, also of nil.
func (in *installed) name() string {
	if in == nil {
		return ""
	}
	return in.bridge.Name()
}

// commands are the set-up on a session, in order.
func (in *installed) commands(fetch json.RawMessage) []cdp.Command {
	if in == nil {
		return nil
	}
	var cmds []cdp.Command
	add := func(method string, params any) {
		cmds = append(cmds, cdp.Command{Method: method, Params: encode(params)})
	}
	if in.setup.BypassCSP {
		add(pageSetBypassCSP, map[string]bool{"enabled": true})
	}
	if fetch != nil {
		add(fetchEnable, fetch)
	}
	for _, name := range in.setup.Bindings {
		add(runtimeAddBinding, map[string]string{"name": name})
	}
	if d := in.setup.Debugger; d != nil {
		add(debuggerEnable, map[string]any{})
		add(debuggerBlackbox, d)
	}
	for _, s := range in.setup.InitScripts {
		params := map[string]any{"source": s.Source, "runImmediately": s.RunImmediately}
		if s.WorldName != "" {
			params["worldName"] = s.WorldName
		}
		add(pageAddScript, params)
	}
	return cmds
}

// undo takes the set-up off a session again; the caller sees to Fetch, and to
// the Debugger where others use it too.
func (in *installed) undo(debugger bool) []cdp.Command {
	if in == nil {
		return nil
	}
	var cmds []cdp.Command
	add := func(method string, params any) {
		cmds = append(cmds, cdp.Command{Method: method, Params: encode(params)})
	}
	for _, id := range in.initScripts {
		add(pageRemoveScript, map[string]string{"identifier": id})
	}
	for _, name := range in.setup.Bindings {
		add(runtimeRemoveBinding, map[string]string{"name": name})
	}
	if in.setup.Debugger != nil {
		if debugger {
			add(debuggerDisable, map[string]any{})
		} else {
			add(debuggerBlackbox, DebuggerSettings{BlackboxPatterns: []string{}})
		}
	}
	if in.setup.BypassCSP {
		add(pageSetBypassCSP, map[string]bool{"enabled": false})
	}
	return cmds
}

// fill puts the token into every string of a set-up.
func fill(s BridgeSetup, token string) BridgeSetup {
	put := func(text string) string { return strings.ReplaceAll(text, tokenMark, token) }
	out := BridgeSetup{BypassCSP: s.BypassCSP}
	for _, i := range s.InitScripts {
		out.InitScripts = append(out.InitScripts, InitScript{put(i.Source), put(i.WorldName), i.RunImmediately})
	}
	for _, p := range s.FetchPatterns {
		out.FetchPatterns = append(out.FetchPatterns, FetchPattern{put(p.URLPattern), p.ResourceType, p.RequestStage})
	}
	for _, b := range s.Bindings {
		out.Bindings = append(out.Bindings, put(b))
	}
	if d := s.Debugger; d != nil {
		out.Debugger = &DebuggerSettings{BlackboxPatterns: []string{}, SkipAnonymous: d.SkipAnonymous}
		for _, p := range d.BlackboxPatterns {
			out.Debugger.BlackboxPatterns = append(out.Debugger.BlackboxPatterns, put(p))
		}
	}
	for _, c := range s.Claims {
		filled := Claim{
			Method: c.Method, URLPrefix: put(c.URLPrefix), FunctionName: put(c.FunctionName),
			ScriptURL: put(c.ScriptURL), Binding: put(c.Binding),
		}
		for _, r := range c.Release {
			filled.Release = append(filled.Release, cdp.Command{
				Method: r.Method, Params: bytes.ReplaceAll(r.Params, []byte(tokenMark), []byte(token)),
			})
		}
		out.Claims = append(out.Claims, filled)
	}
	return out
}

// encode is for values that can't fail to marshal.
func encode(v any) json.RawMessage {
	if raw, ok := v.(json.RawMessage); ok {
		return raw
	}
	return cdp.Marshal(v)
}
