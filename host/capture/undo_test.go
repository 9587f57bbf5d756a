package capture_test

import (
	"testing"

	"cdphost/host/capture"
	"cdphost/host/cdp/cdptest"
)

// made are the things that a handle makes, each with the command that takes it
// back. A "$" stands for what the mock named it.
var made = map[string]struct {
	method string
	params M
	named  string // where the result names it
	undo   string
	field  string // where the undoing command names it
}{
	"session":  {"Target.attachToTarget", M{"targetId": "$page"}, "sessionId", "Target.detachFromTarget", "sessionId"},
	"target":   {"Target.createTarget", M{"url": "about:blank"}, "targetId", "Target.closeTarget", "targetId"},
	"script":   {"Page.addScriptToEvaluateOnNewDocument", M{"source": "1"}, "identifier", "Page.removeScriptToEvaluateOnNewDocument", "identifier"},
	"binding":  {"Runtime.addBinding", M{"name": "bound"}, "", "Runtime.removeBinding", "name"},
	"domain":   {"Network.enable", nil, "", "Network.disable", ""},
	"fetch":    {"Fetch.enable", nil, "", "Fetch.disable", ""},
	"debugger": {"Debugger.enable", nil, "", "Debugger.disable", ""},
}

func TestWhatAHandleMadeIsUndone(t *testing.T) {
	t.Parallel()
	for name, c := range made {
		for how, end := range map[string]func(*host, *capture.Handle){
			"released":    func(_ *host, handle *capture.Handle) { handle.Release() },
			"plugin died": func(h *host, _ *capture.Handle) { h.captures.ReleaseAll("helper", 7) },
		} {
			t.Run(name+" "+how, func(t *testing.T) {
				t.Parallel()
				h := onMock(t)
				handle := h.capture(t, capture.Holder{Name: "helper", Generation: 7, Trusted: true})
				bystander := h.capture(t, capture.Holder{Name: "helper", Generation: 8, Trusted: true})
				id := h.make(t, handle, name)
				end(h, handle)
				if c.field == "" {
					h.arrived(t, c.undo)
				} else {
					h.arrived(t, c.undo, c.field, id)
				}
				handle.Release()
				h.captures.ReleaseAll("helper", 7)
				h.settled(t)
				if n := h.undone(name, id); n != 1 {
					t.Errorf("%s arrived %d times", c.undo, n)
				}
				if handle.Valid() || !bystander.Valid() {
					t.Error("the wrong handle ended")
				}
			})
		}
	}
}

// undone is how often the undoing of a thing arrived. The link detaches sessions,
// too, of pages that are nobody's.
func (h *host) undone(name, id string) int {
	if c := made[name]; c.field != "" {
		return h.count(c.undo, c.field, id)
	}
	return h.count(made[name].undo)
}

// make has a handle make one of the things and returns its name.
func (h *host) make(t *testing.T, handle *capture.Handle, name string) string {
	t.Helper()
	c := made[name]
	session, params := h.page.SessionID, M{}
	for k, v := range c.params {
		if v == "$page" {
			v = h.page.TargetID
		}
		params[k] = v
	}
	if name == "session" || name == "target" {
		session = ""
	}
	raw := mustCall(t, handle, c.method, params, capture.OnSession(session))
	if c.named == "" {
		return "bound"
	}
	return cdptest.Field(raw, c.named)
}

func TestWhatTheHolderEndedItselfIsNotUndoneAgain(t *testing.T) {
	t.Parallel()
	for name, c := range made {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := onMock(t)
			handle := h.capture(t, trusted)
			id := h.make(t, handle, name)
			params, session := M{}, h.page.SessionID
			if c.field != "" {
				params[c.field] = id
			}
			if name == "session" || name == "target" {
				session = ""
			}
			mustCall(t, handle, c.undo, params, capture.OnSession(session))
			handle.Release()
			h.settled(t)
			if n := h.undone(name, id); n != 1 {
				t.Errorf("%s arrived %d times", c.undo, n)
			}
		})
	}
}

func TestAnAgentKeepsWhatItMakes(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	agent := capture.Holder{Name: "agent", Trusted: true, KeepsWhatItMakes: true}
	handle := h.capture(t, agent)
	ids := map[string]string{}
	for name := range made {
		ids[name] = h.make(t, handle, name)
	}
	handle.Release()
	h.settled(t)
	for name, c := range made {
		if n := h.undone(name, ids[name]); n != 0 {
			t.Errorf("%s: %s arrived %d times", name, c.undo, n)
		}
	}
	// It is the agent's with its next handle, too.
	mustCall(t, h.capture(t, agent), "Network.disable", nil, capture.OnSession(h.page.SessionID))
}

func TestTargetOutlivesTheConnectionButNotItsHandle(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	handle := h.capture(t, trusted)
	id := h.make(t, handle, "target")
	h.mock.Drop()
	h.reconnected(t, handle.Epoch())
	handle.Release()
	h.arrived(t, "Target.closeTarget", "targetId", id)
}

func TestTaskEndInAUsersBrowser(t *testing.T) {
	t.Parallel()
	mock := cdptest.New(t, cdptest.Options{})
	r := newRegistry()
	t.Cleanup(func() { r.StopAll(t.Context()) })
	h := start(t, r, capture.NewManager(r), mock.URL(), true)
	h.mock = mock
	tab := mock.OpenPage("http://user.test/", "")
	agent := h.capture(t, capture.Holder{Name: "agent", Trusted: true, KeepsWhatItMakes: true})
	id := h.make(t, agent, "target")
	if !h.sup.OwnsTarget(id) {
		t.Error("a target that the task made is not the task's")
	}
	r.Stop(bound(t), h.key)
	h.arrived(t, "Target.closeTarget", "targetId", id)
	if n := h.count("Target.closeTarget", "targetId", tab.TargetID()); n != 0 {
		t.Error("the user's own tab was closed")
	}
}
