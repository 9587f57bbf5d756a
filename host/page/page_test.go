package page_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"go.uber.org/goleak"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/endpoint"
	"cdphost/host/page"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// registry is shared by all tests, as the tasks of a host share it.
var registry = supervisor.NewRegistry(supervisor.Options{Logger: hclog.NewNullLogger()})

type tests struct{ cdptest.Tests }

func (t tests) Run() int {
	code := t.Tests.Run()
	registry.StopAll(context.Background())
	return code
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(cdptest.Main(tests{m})) }

type obj = map[string]any

var taskNumber atomic.Int64

// bench is a task with an engine, on the shared browser.
type bench struct {
	t      testing.TB
	chrome *cdptest.Browser
	tasks  *supervisor.Registry
	key    supervisor.Key
	opts   page.Options
	s      *supervisor.Supervisor
	host   page.Host
	e      *page.Engine
	in     context.Context
}

func newBench(t testing.TB, o page.Options) *bench {
	t.Helper()
	return benchOn(t, o, registry, cdptest.SharedChrome(t))
}

// ownBench is newBench on a browser of its own, for what may crash it.
func ownBench(t testing.TB, o page.Options) *bench {
	t.Helper()
	chrome := cdptest.Chrome(t)
	own := supervisor.NewRegistry(supervisor.Options{Logger: hclog.NewNullLogger()})
	t.Cleanup(func() { own.StopAll(context.Background()) })
	return benchOn(t, o, own, chrome)
}

func benchOn(t testing.TB, o page.Options, tasks *supervisor.Registry, chrome *cdptest.Browser) *bench {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	key := supervisor.Key{Caller: "test", TaskID: fmt.Sprintf("page-%d", taskNumber.Add(1))}
	b := &bench{t: t, chrome: chrome, tasks: tasks, key: key, opts: o, in: ctx}
	b.start()
	t.Cleanup(func() {
		b.e.Close()
		tasks.Forget(context.Background(), key)
		cancel()
	})
	return b
}

// start gives the task a supervisor and an engine.
func (b *bench) start() {
	b.t.Helper()
	u, err := endpoint.ParseURL(b.chrome.WSURL)
	if err != nil {
		b.t.Fatal(err)
	}
	b.s, err = b.tasks.GetOrStart(b.in, b.key, endpoint.Spec{Kind: endpoint.CDP, URL: u}, supervisor.Settings{})
	if err != nil {
		b.t.Fatalf("GetOrStart: %v", err)
	}
	b.host = page.Supervised(b.s, nil)
	o := b.opts
	o.Host, o.ReserveUIDs = b.host, b.s.Record().ReserveUIDs
	b.e = page.New(o)
}

// do carries out an action and returns its reply.
func (b *bench) do(args obj) *page.Reply {
	b.t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.e.Do(b.in, raw)
}

// must is do for an action that has to succeed; the result is as an agent reads it.
func (b *bench) must(args obj) obj {
	b.t.Helper()
	r := b.do(args)
	if !r.OK {
		b.t.Fatalf("%v: %s: %s %v", args, r.Error.Code, r.Error.Message, r.Error.Details)
	}
	return result(b.t, r)
}

func result(t testing.TB, r *page.Reply) obj {
	t.Helper()
	raw, err := json.Marshal(r.Result)
	if err != nil {
		t.Fatal(err)
	}
	var out obj
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return out
}

// fails is do for an action that has to fail with a code.
func (b *bench) fails(code fault.Code, args obj) *page.Failure {
	b.t.Helper()
	r := b.do(args)
	if r.OK {
		b.t.Fatalf("%v succeeded with %v; want %s", args, r.Result, code)
	}
	if r.Error.Code != code {
		b.t.Fatalf("%v: %s: %s; want %s", args, r.Error.Code, r.Error.Message, code)
	}
	return r.Error
}

// eval returns the value of an expression in the page.
func (b *bench) eval(expression string) any {
	b.t.Helper()
	return b.must(obj{"type": "evaluate", "expression": expression})["value"]
}

// open opens a page of HTML at http://a.test.
func (b *bench) open(html string) {
	b.t.Helper()
	b.openSite(cdptest.Hosts{"*": cdptest.Paths{"/": html}})
}

func (b *bench) openSite(hosts cdptest.Hosts) *cdptest.Pages {
	b.t.Helper()
	site := cdptest.Site(b.t, hosts)
	b.must(obj{"type": "open_tab", "url": site.URL("a.test", "/")})
	return site
}
