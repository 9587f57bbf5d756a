package bridge

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"cdphost/host/capture"
	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// handle returns a handle of a holder that is undone when it is released.
func handle(t *testing.T, s *supervisor.Supervisor, name string) *capture.Handle {
	t.Helper()
	h, err := capture.NewManager(registry).CaptureSupervisor(s, capture.Holder{Name: name, Trusted: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Release)
	return h
}

func send(t *testing.T, h *capture.Handle, session, method string, params any) json.RawMessage {
	t.Helper()
	raw, err := h.Call(bound(t), method, params, capture.OnSession(session))
	if err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	return raw
}

func refuse(t *testing.T, h *capture.Handle, code fault.Code, session, method string, params any) {
	t.Helper()
	if _, err := h.Call(bound(t), method, params, capture.OnSession(session)); !errors.Is(err, code) {
		t.Errorf("%s: %v, want %s", method, err, code)
	}
}

// TestFetchIsShared has another holder intercept requests while dialogs go over
// the bridge: neither stalls nor blinds the other.
func TestFetchIsShared(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			document("<title>page</title>")(w, r)
			return
		}
		_, _ = w.Write([]byte("from the network"))
	})})
	_, b := xhr.start(t, `{}`)
	s := task(t, supervisor.Settings{Bridge: b})
	p := loaded(t, s, site.URL("a.test", "/"))
	sub := s.Subscribe(supervisor.Filter{Methods: []string{"Fetch.requestPaused"}}, 16)
	defer sub.Close()
	h := handle(t, s, "tester")
	fetched := func(path string) <-chan string {
		return start(s, p.SessionID, `x = new XMLHttpRequest; x.open("GET", "`+path+`", false); x.send(); x.responseText`)
	}
	asks := func() {
		t.Helper()
		out := start(s, p.SessionID, `String(confirm("asked"))`)
		d := held(t, s, "asked")
		if d.Native() {
			t.Errorf("dialog = %+v", d)
		}
		answer(t, s, d.ID, "accept", nil)
		if got := receive(t, out); got != "true" {
			t.Errorf("the page saw %q", got)
		}
	}

	send(t, h, p.SessionID, "Fetch.enable", nil) // all requests
	out := fetched("/a")
	asked := pausedFor(t, sub, "/a")
	send(t, h, p.SessionID, "Fetch.fulfillRequest", cdptest.M{
		"requestId": cdptest.Field(asked, "requestId"), "responseCode": 200, "body": []byte("from the tester"),
	})
	if got := receive(t, out); got != "from the tester" {
		t.Errorf("the page got %q", got)
	}
	asks()

	out = fetched("/b")
	pausedFor(t, sub, "/b")
	send(t, h, p.SessionID, "Fetch.disable", nil) // lets /b go, as it does without a bridge
	if got := receive(t, out); got != "from the network" {
		t.Errorf("the page got %q", got)
	}
	asks()
	if got := receive(t, fetched("/c")); got != "from the network" {
		t.Errorf("the page got %q", got)
	}

	send(t, h, p.SessionID, "Fetch.enable", cdptest.M{"patterns": []cdptest.M{{"urlPattern": "*/d"}}})
	held1 := start(s, p.SessionID, `String(confirm("held"))`)
	d := held(t, s, "held")
	refuse(t, h, fault.BlockedByDialog, p.SessionID, "Fetch.failRequest", cdptest.M{"requestId": requestOf(t, d), "errorReason": "Failed"})
	answer(t, s, d.ID, "dismiss", nil)
	if got := receive(t, held1); got != "false" {
		t.Errorf("the page saw %q", got)
	}
	h.Release()
	if got := receive(t, fetched("/d")); got != "from the network" {
		t.Errorf("the page got %q", got)
	}
	asks()
	for {
		select {
		case e := <-sub.C:
			if strings.Contains(string(e.Params), "hermes-dialog-bridge") {
				t.Errorf("somebody else was told of %s", e.Params)
			}
		default:
			return
		}
	}
}

// pausedFor waits for a request to a path; the browser asks for icons meanwhile.
func pausedFor(t *testing.T, sub *supervisor.Subscription, path string) json.RawMessage {
	t.Helper()
	for {
		select {
		case e := <-sub.C:
			if strings.HasSuffix(cdptest.Field(e.Params, "request.url"), path) {
				return e.Params
			}
		case <-bound(t).Done():
			t.Fatalf("no request for %s paused", path)
		}
	}
}

func requestOf(t *testing.T, d dialog.Dialog) string {
	t.Helper()
	id := cdptest.Field(d.BridgeState, "request_id")
	if id == "" {
		t.Fatalf("state: %s", d.BridgeState)
	}
	return id
}

// TestDebuggerIsShared has another holder use the debugger while dialogs go over
// the bridge.
func TestDebuggerIsShared(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{"/": asking}})
	_, b := debugger.start(t, `{}`)
	s := task(t, supervisor.Settings{Bridge: b})
	p := loaded(t, s, site.URL("a.test", "/"))
	h := handle(t, s, "tester")
	send(t, h, p.SessionID, "Debugger.enable", nil)
	for method, params := range map[string]any{
		"Debugger.disable":              nil,
		"Debugger.pause":                nil,
		"Debugger.setBlackboxPatterns":  cdptest.M{"patterns": []string{}},
		"Debugger.setSkipAllPauses":     cdptest.M{"skip": true},
		"Debugger.setBreakpointsActive": cdptest.M{"active": false},
	} {
		refuse(t, h, fault.NotYours, p.SessionID, method, params)
	}
	out := start(s, p.SessionID, `String(confirm("asked"))`)
	d := held(t, s, "asked")
	refuse(t, h, fault.BlockedByDialog, p.SessionID, "Debugger.resume", nil)
	answer(t, s, d.ID, "accept", nil)
	if got := receive(t, out); got != "true" {
		t.Errorf("the page saw %q", got)
	}
}

// watchful is a bridge that has the debugger on and claims nothing.
type watchful struct{ supervisor.Bridge }

func (watchful) Name() string { return "watchful" }

func (watchful) Setup() (supervisor.BridgeSetup, error) {
	return supervisor.BridgeSetup{Debugger: &supervisor.DebuggerSettings{BlackboxPatterns: []string{}}}, nil
}

// TestForeignPauses: a pause that nobody claims goes on at once, unless somebody
// debugs.
func TestForeignPauses(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{"/": asking}})
	s := task(t, supervisor.Settings{Bridge: watchful{}})
	p := loaded(t, s, site.URL("a.test", "/"))
	sub := s.Subscribe(supervisor.Filter{Methods: []string{"Debugger.paused"}}, 16)
	defer sub.Close()
	if got := evaluate(t, s, p.SessionID, "debugger; debugger; String(1)"); got != "1" {
		t.Errorf("evaluated %q", got)
	}
	h := handle(t, s, "tester")
	send(t, h, p.SessionID, "Debugger.enable", nil)
	out := start(s, p.SessionID, "debugger; String(2)")
	if e := <-sub.C; cdptest.Field(e.Params, "reason") != "other" {
		t.Errorf("paused: %s", e.Params)
	}
	send(t, h, p.SessionID, "Debugger.resume", nil)
	if got := receive(t, out); got != "2" {
		t.Errorf("evaluated %q", got)
	}
	h.Release()
	if got := evaluate(t, s, p.SessionID, "debugger; String(3)"); got != "3" {
		t.Errorf("evaluated %q", got)
	}
}
