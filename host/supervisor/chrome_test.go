package supervisor_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"cdphost/host/cdp"
	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/endpoint"
	"cdphost/host/supervisor"

	"github.com/hashicorp/go-hclog"
	"go.uber.org/goleak"
)

// registry is the one registry of the tests on the shared browser, so that they
// share one root-attached link as tasks of a host do.
var registry = supervisor.NewRegistry(supervisor.Options{Logger: hclog.NewNullLogger()})

type tests struct{ cdptest.Tests }

func (t tests) Run() int {
	code := t.Tests.Run()
	registry.StopAll(context.Background())
	return code
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(cdptest.Main(tests{m})) }

// bound ends a wait that a fault would make endless; no test depends on its value.
func bound(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

var taskNumber atomic.Int64

// task starts a task on the shared browser and stops it after the test.
func task(t *testing.T, set supervisor.Settings) *supervisor.Supervisor {
	t.Helper()
	return taskOn(t, registry, cdptest.SharedChrome(t).WSURL, set)
}

func taskOn(t *testing.T, r *supervisor.Registry, url string, set supervisor.Settings) *supervisor.Supervisor {
	t.Helper()
	key := supervisor.Key{Caller: "test", TaskID: fmt.Sprintf("task-%d", taskNumber.Add(1))}
	s, err := r.GetOrStart(bound(t), key, cdpSpec(t, url), set)
	if err != nil {
		t.Fatalf("GetOrStart: %v", err)
	}
	t.Cleanup(func() { r.Forget(context.Background(), key) })
	return s
}

func cdpSpec(t *testing.T, url string) endpoint.Spec {
	t.Helper()
	u, err := endpoint.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	return endpoint.Spec{Kind: endpoint.CDP, URL: u}
}

// open makes a page and loads url in it.
func open(t *testing.T, s *supervisor.Supervisor, url string) *supervisor.Page {
	t.Helper()
	p, err := s.OpenPage(bound(t))
	if err != nil {
		t.Fatalf("OpenPage: %v", err)
	}
	call(t, s, p.SessionID, "Page.navigate", cdptest.M{"url": url})
	return wait(t, s, p.TabID, "the page to load", func(p *supervisor.Page) bool {
		return p.LoaderID != "" && p.LoadedLoader == p.LoaderID && p.URL == url
	})
}

func call(t *testing.T, s *supervisor.Supervisor, session, method string, params any) json.RawMessage {
	t.Helper()
	raw, err := s.Call(bound(t), cdp.Command{SessionID: session, Method: method, Params: cdp.Marshal(params)})
	if err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	return raw
}

// start sends an expression whose evaluation a dialog may stop.
func start(s *supervisor.Supervisor, session, expression string) {
	s.Post(cdp.Command{SessionID: session, Method: "Runtime.evaluate", Params: cdp.Marshal(cdptest.M{"expression": expression, "userGesture": true})}, nil)
}

func wait(t *testing.T, s *supervisor.Supervisor, tab, what string, done func(*supervisor.Page) bool) *supervisor.Page {
	t.Helper()
	snap := until(t, s, what, func(snap *supervisor.Snapshot) bool {
		p, ok := snap.Page(tab)
		return ok && done(p)
	})
	p, _ := snap.Page(tab)
	return p
}

func until(t *testing.T, s *supervisor.Supervisor, what string, done func(*supervisor.Snapshot) bool) *supervisor.Snapshot {
	t.Helper()
	snap, err := s.Wait(bound(t), done)
	if err != nil {
		data, _ := json.Marshal(s.Snapshot())
		t.Fatalf("waiting for %s: %v; the snapshot is %s", what, err, data)
	}
	return snap
}

// pending waits for a dialog of a type.
func pending(t *testing.T, s *supervisor.Supervisor, typ dialog.Type) dialog.Dialog {
	t.Helper()
	var d dialog.Dialog
	until(t, s, "a pending "+string(typ), func(snap *supervisor.Snapshot) bool {
		for _, x := range snap.Pending {
			if x.Type == typ && x.State == dialog.Held {
				d = x
				return true
			}
		}
		return false
	})
	return d
}
