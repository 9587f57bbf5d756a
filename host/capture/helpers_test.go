package capture_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"cdphost/host/capture"
	"cdphost/host/cdp"
	"cdphost/host/cdp/cdptest"
	"cdphost/host/endpoint"
	"cdphost/host/link"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"

	"github.com/hashicorp/go-hclog"
	"go.uber.org/goleak"
)

type M = cdptest.M

// registry is the one registry of the tests on the shared browser, so that they
// share one root-attached link as tasks of a host do.
var registry = newRegistry()

func newRegistry() *supervisor.Registry {
	return supervisor.NewRegistry(supervisor.Options{Logger: hclog.NewNullLogger()})
}

type tests struct{ cdptest.Tests }

func (t tests) Run() int {
	code := t.Tests.Run()
	registry.StopAll(context.Background())
	return code
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(cdptest.Main(tests{m})) }

// host is a task and who may capture it.
type host struct {
	registry *supervisor.Registry
	captures *capture.Manager
	mock     *cdptest.Server // nil on a real browser
	key      supervisor.Key
	sup      *supervisor.Supervisor
	page     *supervisor.Page
}

// trusted is a holder that may do all and whose things are undone.
var trusted = capture.Holder{Name: "tool", Trusted: true}

// bound ends a wait that a fault would make endless; no test depends on its value.
func bound(tb testing.TB) context.Context {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), 30*time.Second)
	tb.Cleanup(cancel)
	return ctx
}

// onMock starts a task with one page on a mock browser of its own.
func onMock(tb testing.TB) *host {
	tb.Helper()
	mock := cdptest.New(tb, cdptest.Options{})
	r := supervisor.NewRegistry(supervisor.Options{Logger: hclog.NewNullLogger(),
		Link: link.Options{BackoffMin: time.Millisecond, MinUptime: time.Nanosecond, JournalDir: tb.TempDir()}})
	tb.Cleanup(func() { r.StopAll(context.Background()) })
	h := start(tb, r, capture.NewManager(r), mock.URL(), false)
	h.mock = mock
	return h
}

// onChrome starts a task with one page on the shared browser.
func onChrome(tb testing.TB) *host {
	tb.Helper()
	return start(tb, registry, capture.NewManager(registry), cdptest.SharedChrome(tb).WSURL, false)
}

var taskNumber atomic.Int64

func start(tb testing.TB, r *supervisor.Registry, m *capture.Manager, url string, userOwned bool) *host {
	tb.Helper()
	u, err := endpoint.ParseURL(url)
	if err != nil {
		tb.Fatal(err)
	}
	h := &host{registry: r, captures: m, key: supervisor.Key{Caller: "test", TaskID: fmt.Sprintf("task-%d", taskNumber.Add(1))}}
	h.sup, err = r.GetOrStart(bound(tb), h.key, endpoint.Spec{Kind: endpoint.CDP, URL: u, UserOwned: userOwned},
		supervisor.Settings{Toolset: "browser"})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { r.Forget(context.Background(), h.key) })
	h.page = h.open(tb)
	return h
}

func (h *host) open(tb testing.TB) *supervisor.Page {
	tb.Helper()
	p, err := h.sup.OpenPage(bound(tb))
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func (h *host) capture(tb testing.TB, holder capture.Holder) *capture.Handle {
	tb.Helper()
	handle, err := h.captures.Capture(bound(tb), h.key, holder)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(handle.Release)
	return handle
}

// until waits for a state of the task.
func (h *host) until(tb testing.TB, what string, done func(*supervisor.Snapshot) bool) *supervisor.Snapshot {
	tb.Helper()
	snap, err := h.sup.Wait(bound(tb), done)
	if err != nil {
		tb.Fatalf("waiting for %s: %v", what, err)
	}
	return snap
}

// reconnected waits until the task's page is attached in a later epoch.
func (h *host) reconnected(tb testing.TB, after uint64) *supervisor.Page {
	tb.Helper()
	snap := h.until(tb, "the connection to be back", func(s *supervisor.Snapshot) bool {
		p, ok := s.Page(h.page.TabID)
		return ok && s.Epoch > after && p.Ready && p.SessionID != ""
	})
	p, _ := snap.Page(h.page.TabID)
	return p
}

// load takes the task's page to a url.
func (h *host) load(tb testing.TB, url string) {
	tb.Helper()
	mustCall(tb, h.capture(tb, trusted), "Page.navigate", M{"url": url}, capture.OnSession(h.page.SessionID))
	h.until(tb, "the page to load", func(s *supervisor.Snapshot) bool {
		p, ok := s.Page(h.page.TabID)
		return ok && p.URL == url && p.LoaderID != "" && p.LoadedLoader == p.LoaderID
	})
}

func mustCall(tb testing.TB, h *capture.Handle, method string, params any, opts ...capture.Option) json.RawMessage {
	tb.Helper()
	raw, err := h.Call(bound(tb), method, params, opts...)
	if err != nil {
		tb.Fatalf("%s: %v", method, err)
	}
	return raw
}

func wantCode(tb testing.TB, err error, code fault.Code) *fault.Error {
	tb.Helper()
	if !errors.Is(err, code) {
		tb.Fatalf("got %v, want %s", err, code)
	}
	var f *fault.Error
	if !errors.As(err, &f) {
		tb.Fatalf("%v is no *fault.Error", err)
	}
	return f
}

// count is how many commands of a method the mock got whose params hold the
// values at the given paths.
func (h *host) count(method string, pairs ...string) int {
	n := 0
	for _, r := range h.mock.Sent(method) {
		all := true
		for i := 0; i+1 < len(pairs); i += 2 {
			all = all && r.Get(pairs[i]) == pairs[i+1]
		}
		if all {
			n++
		}
	}
	return n
}

// arrived waits until the mock got a command.
func (h *host) arrived(tb testing.TB, method string, pairs ...string) {
	tb.Helper()
	err := h.mock.WaitFor(bound(tb), func([]cdptest.Request) bool { return h.count(method, pairs...) > 0 })
	if err != nil {
		tb.Fatalf("%s %v: %v", method, pairs, err)
	}
}

// settled waits until everything sent before has been answered.
func (h *host) settled(tb testing.TB) {
	tb.Helper()
	if _, err := h.sup.Call(bound(tb), cdp.Command{Method: "Browser.getVersion"}); err != nil {
		tb.Fatal(err)
	}
}
