package capture_test

import (
	"context"
	"strings"
	"testing"

	"cdphost/host/capture"
	"cdphost/host/cdp"
	"cdphost/host/cdp/cdptest"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

func TestWhatOthersRelyOnIsNotSwitchedOff(t *testing.T) {
	t.Parallel()
	agent := capture.Holder{Name: "agent", Trusted: true, KeepsWhatItMakes: true}
	for name, c := range map[string]struct {
		use    string // what the other does first
		params M
		method string
		with   M
		owner  string
	}{
		"the page domain":      {"", nil, "Page.disable", nil, "cdphost"},
		"the runtime domain":   {"", nil, "Runtime.disable", nil, "cdphost"},
		"crashes":              {"", nil, "Inspector.disable", nil, "cdphost"},
		"focus":                {"", nil, "Emulation.setFocusEmulationEnabled", M{"enabled": false}, "cdphost"},
		"the host's scripts":   {"", nil, "Page.removeScriptToEvaluateOnNewDocument", M{"identifier": "1"}, "cdphost"},
		"another's domain":     {"Network.enable", nil, "Network.disable", nil, "agent"},
		"another's debugger":   {"Debugger.enable", nil, "Debugger.disable", nil, "agent"},
		"another's binding":    {"Runtime.addBinding", M{"name": "b"}, "Runtime.removeBinding", M{"name": "b"}, "agent"},
		"another's script":     {"Page.addScriptToEvaluateOnNewDocument", M{"source": "1"}, "Page.removeScriptToEvaluateOnNewDocument", M{"identifier": "$"}, "agent"},
		"another's session":    {"Target.attachToTarget", M{"targetId": "$page"}, "Target.detachFromTarget", M{"sessionId": "$"}, "agent"},
		"auto-attach of one's": {"", nil, "Target.setAutoAttach", M{"autoAttach": false}, "cdphost"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := onMock(t)
			other := h.capture(t, agent)
			id := ""
			session := func(method string) capture.Option {
				if strings.HasPrefix(method, "Target.a") || strings.HasPrefix(method, "Target.d") {
					return capture.OnSession("")
				}
				return capture.OnSession(h.page.SessionID)
			}
			if c.use != "" {
				if c.params["targetId"] != nil {
					c.params = M{"targetId": h.page.TargetID}
				}
				raw := mustCall(t, other, c.use, c.params, session(c.use))
				id = cdptest.Field(raw, "identifier") + cdptest.Field(raw, "sessionId")
			}
			with := M{}
			for k, v := range c.with {
				if v == "$" {
					v = id
				}
				with[k] = v
			}
			before := len(h.mock.Sent(c.method))
			_, err := h.capture(t, trusted).Call(bound(t), c.method, with, session(c.method))
			if f := wantCode(t, err, fault.NotYours); f.Details["owner"] != c.owner || !strings.Contains(f.Message, c.owner) && c.owner != "cdphost" {
				t.Errorf("error = %+v, want it to name %s", f, c.owner)
			}
			h.settled(t)
			if n := len(h.mock.Sent(c.method)) - before; n != 0 && id == "" {
				t.Errorf("%s arrived %d times", c.method, n)
			}
			if c.use != "" { // who uses it may
				mustCall(t, other, c.method, with, session(c.method))
			}
		})
	}
}

func TestTheLastUserSwitchesOff(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"domain", "binding", "debugger", "fetch"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := onMock(t)
			a, b := h.capture(t, capture.Holder{Name: "alpha", Trusted: true}), h.capture(t, capture.Holder{Name: "beta", Trusted: true})
			h.make(t, a, name)
			h.make(t, b, name)
			a.Release()
			h.settled(t)
			if n := len(h.mock.Sent(made[name].undo)); n != 0 {
				t.Fatalf("switched off under the other, %d times", n)
			}
			b.Release()
			h.arrived(t, made[name].undo)
		})
	}
}

// pausing is a bridge that keeps the Debugger on.
type pausing struct{}

func (pausing) Name() string { return "bridge-test" }

func (pausing) Setup() (supervisor.BridgeSetup, error) {
	return supervisor.BridgeSetup{
		InitScripts: []supervisor.InitScript{{Source: "bridge"}}, Bindings: []string{"bridged"},
		FetchPatterns: []supervisor.FetchPattern{{URLPattern: "https://bridge.invalid/*"}}, BypassCSP: true,
		Debugger: &supervisor.DebuggerSettings{BlackboxPatterns: []string{"x"}, SkipAnonymous: true},
	}, nil
}

func (pausing) Recognise(context.Context, supervisor.BridgeEvent) (*supervisor.BridgedDialog, error) {
	return nil, nil
}

func (pausing) Answer(context.Context, supervisor.BridgeAnswer) ([]cdp.Command, error) {
	return nil, nil
}

func TestTheDialogBridgeIsNotBlinded(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	set := h.sup.Settings()
	set.Bridge = pausing{}
	h.sup.Configure(set)
	h.page = h.open(t) // set up with the bridge
	handle := h.capture(t, trusted)
	page := capture.OnSession(h.page.SessionID)
	for method, params := range map[string]M{
		"Debugger.disable":                         nil,
		"Debugger.setBlackboxPatterns":             {"patterns": []string{}},
		"Debugger.setSkipAllPauses":                {"skip": true},
		"Debugger.setBreakpointsActive":            {"active": false},
		"Page.setBypassCSP":                        {"enabled": false},
		"Runtime.removeBinding":                    {"name": "bridged"},
		"Page.removeScriptToEvaluateOnNewDocument": {"identifier": cdptest.Field(nil, "") + "1"},
	} {
		_, err := handle.Call(bound(t), method, params, page)
		if f := wantCode(t, err, fault.NotYours); f.Details["owner"] != "bridge-test" {
			t.Errorf("%s: %+v, want it to name the bridge", method, f)
		}
	}
	mustCall(t, handle, "Fetch.enable", M{"patterns": []M{{"urlPattern": "*mine*"}}}, page)
	mustCall(t, handle, "Fetch.disable", nil, page)
	mustCall(t, handle, "Debugger.enable", nil, page)
	handle.Release()
	h.settled(t)
	var fetch []cdptest.Request
	for _, r := range h.mock.Sent("") {
		if r.SessionID == h.page.SessionID && strings.HasPrefix(r.Method, "Fetch.") {
			fetch = append(fetch, r)
		}
		if r.SessionID == h.page.SessionID && r.Method == "Debugger.disable" {
			t.Error("the bridge's Debugger was switched off")
		}
	}
	for i, r := range fetch {
		if r.Method != "Fetch.enable" || r.Get("patterns.0.urlPattern") != "https://bridge.invalid/*" {
			t.Errorf("%d: %s %s, want the bridge's pattern kept", i, r.Method, r.Params)
		}
	}
	if n := len(fetch); n < 3 || fetch[1].Get("patterns.1.urlPattern") != "*mine*" || fetch[n-1].Get("patterns.1") != "" {
		t.Errorf("%d commands: %v", n, fetch)
	}
}
