package bridge

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"cdphost/host/cdp"
	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/endpoint"
	"cdphost/host/plugin"
	"cdphost/host/supervisor"
)

// bound ends a wait that a fault would make endless; no test depends on its value.
func bound(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// manager starts plugins of this binary.
func manager(t testing.TB, specs ...plugin.Spec) *plugin.Manager {
	t.Helper()
	m, err := plugin.New(plugin.Options{
		SelfArgs: []string{"serve-plugin"}, Logger: logger(), StopTimeout: time.Second,
		BackoffMin: 10 * time.Millisecond, BackoffMax: 50 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := m.Apply(bound(t), specs); err != nil {
		t.Fatal(err)
	}
	return m
}

// kind is one of the two bridges.
type kind string

const (
	debugger kind = "bridge-debugger"
	xhr      kind = "bridge-browserbase"
)

func (k kind) spec(config string) plugin.Spec {
	return plugin.Spec{Name: string(k), Builtin: string(k), Config: json.RawMessage(config)}
}

func (k kind) start(t testing.TB, config string) (*plugin.Manager, supervisor.Bridge) {
	t.Helper()
	m := manager(t, k.spec(config))
	return m, m.Bridge(string(k))
}

func pid(t testing.TB, m *plugin.Manager) int {
	t.Helper()
	s := m.Status()
	if len(s) != 1 {
		t.Fatalf("plugins: %+v", s)
	}
	return s[0].PID
}

func kill(t testing.TB, m *plugin.Manager) {
	t.Helper()
	p, err := os.FindProcess(pid(t, m))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Kill(); err != nil {
		t.Fatal(err)
	}
}

// asking is a page on which tests ask for themselves.
const asking = `<title>page</title><p>words`

var taskNumber atomic.Int64

// task starts a task on the shared browser and stops it after the test.
func task(t testing.TB, set supervisor.Settings) *supervisor.Supervisor {
	t.Helper()
	return taskOn(t, registry, cdptest.SharedChrome(t).WSURL, set)
}

func taskOn(t testing.TB, r *supervisor.Registry, url string, set supervisor.Settings) *supervisor.Supervisor {
	t.Helper()
	u, err := endpoint.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	key := supervisor.Key{Caller: "test", TaskID: fmt.Sprintf("task-%d", taskNumber.Add(1))}
	s, err := r.GetOrStart(bound(t), key, endpoint.Spec{Kind: endpoint.CDP, URL: u}, set)
	if err != nil {
		t.Fatalf("GetOrStart: %v", err)
	}
	t.Cleanup(func() { r.Forget(context.Background(), key) })
	return s
}

// open makes a page and loads url in it.
func open(t testing.TB, s *supervisor.Supervisor, url string) *supervisor.Page {
	t.Helper()
	p, err := s.OpenPage(bound(t))
	if err != nil {
		t.Fatalf("OpenPage: %v", err)
	}
	call(t, s, p.SessionID, "Page.navigate", cdptest.M{"url": url})
	return p
}

// loaded opens url and waits until it is there.
func loaded(t testing.TB, s *supervisor.Supervisor, url string) *supervisor.Page {
	t.Helper()
	p := open(t, s, url)
	snap := until(t, s, "the page to load", func(snap *supervisor.Snapshot) bool {
		p, ok := snap.Page(p.TabID)
		return ok && p.LoaderID != "" && p.LoadedLoader == p.LoaderID && p.URL != "about:blank"
	})
	p, _ = snap.Page(p.TabID)
	return p
}

func call(t testing.TB, s *supervisor.Supervisor, session, method string, params any) json.RawMessage {
	t.Helper()
	raw, err := s.Call(bound(t), cdp.Command{SessionID: session, Method: method, Params: cdp.Marshal(params)})
	if err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	return raw
}

// evaluate returns the value of an expression as text.
func evaluate(t testing.TB, s *supervisor.Supervisor, session, expression string) string {
	t.Helper()
	return cdptest.Field(call(t, s, session, "Runtime.evaluate", cdptest.M{"expression": expression}), "result.value")
}

// start sends an expression whose evaluation a dialog may stop, and returns where
// its value arrives.
func start(s *supervisor.Supervisor, session, expression string) <-chan string {
	out := make(chan string, 1)
	s.Post(cdp.Command{SessionID: session, Method: "Runtime.evaluate", Params: cdp.Marshal(cdptest.M{
		"expression": expression, "userGesture": true,
	})}, func(raw json.RawMessage, err error) {
		if err != nil {
			out <- err.Error()
			return
		}
		out <- cdptest.Field(raw, "result.value")
	})
	return out
}

func receive(t testing.TB, c <-chan string) string {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-bound(t).Done():
		t.Fatal("the page never went on")
		return ""
	}
}

func until(t testing.TB, s *supervisor.Supervisor, what string, done func(*supervisor.Snapshot) bool) *supervisor.Snapshot {
	t.Helper()
	snap, err := s.Wait(bound(t), done)
	if err != nil {
		data, _ := json.Marshal(s.Snapshot())
		t.Fatalf("waiting for %s: %v; the snapshot is %s", what, err, data)
	}
	return snap
}

// held waits for a dialog with a message.
func held(t testing.TB, s *supervisor.Supervisor, message string) dialog.Dialog {
	t.Helper()
	var d dialog.Dialog
	until(t, s, "the dialog "+message, func(snap *supervisor.Snapshot) bool {
		for _, x := range snap.Pending {
			if x.Message == message && x.State == dialog.Held {
				d = x
				return true
			}
		}
		return false
	})
	return d
}

func answer(t testing.TB, s *supervisor.Supervisor, id, action string, text *string) dialog.Closed {
	t.Helper()
	c, err := s.AnswerDialog(bound(t), supervisor.DialogAnswer{ID: id, Action: action, Text: text, By: dialog.Agent})
	if err != nil {
		t.Fatalf("answering %s: %v", id, err)
	}
	return c
}
