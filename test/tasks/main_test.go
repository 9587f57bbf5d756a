package tasks

import (
	"context"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"go.uber.org/goleak"

	"cdphost/host/capture"
	"cdphost/host/cdp/cdptest"
	"cdphost/host/endpoint"
	"cdphost/host/frame"
	"cdphost/host/page"
	"cdphost/host/server"
	"cdphost/host/supervisor"
	"cdphost/host/tool"
	"cdphost/sdk/fault"
)

// host is the product without its command: everything between the client and
// the browser.
type host struct {
	registry *supervisor.Registry
	tasks    *tool.Local
	server   *server.Server
	browser  endpoint.URL // set before the first task starts
}

var shared host

type tests struct{ cdptest.Tests }

func (t tests) Run() int {
	if err := shared.start(); err != nil {
		panic(err)
	}
	code := t.Tests.Run()
	shared.stop()
	return code
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(cdptest.Main(tests{m})) }

func (h *host) start() error {
	h.registry = supervisor.NewRegistry(supervisor.Options{Logger: hclog.NewNullLogger()})
	h.tasks = tool.NewLocal(tool.LocalOptions{
		Registry: h.registry, Captures: capture.NewManager(h.registry),
		Plan: func(toolset string) (tool.Plan, error) {
			return tool.Plan{
				Spec:     endpoint.Spec{Kind: endpoint.CDP, URL: h.browser},
				Settings: supervisor.Settings{Toolset: toolset},
				Page:     page.Options{BlockedDomains: []string{"blocked.test"}},
				Holder:   capture.Holder{Name: "agent", Trusted: true, KeepsWhatItMakes: true},
			}, nil
		},
		Join: func(string) (endpoint.Spec, error) {
			return endpoint.Spec{}, fault.New(fault.Unsupported, "the tests join no browser")
		},
		Idle: func() time.Duration { return 0 },
	})
	catalog, err := tool.NewCatalog(tool.Builtin(&tool.Kit{
		Directory: h.tasks, Router: noRouter{}, FrameTree: func() frame.Limits { return frame.Limits{MaxChildren: 30, MaxOOPIFDepth: 2} },
		Redact: tool.NewRedactor(),
	})...)
	if err != nil {
		return err
	}
	h.server, err = server.New(server.Options{
		Catalog:        catalog,
		Toolsets:       map[string]*tool.Toolset{"browser": {Name: "browser", Tools: catalog.Names()}},
		DefaultToolset: "browser",
		Gates:          func(_, _ string) tool.GateState { return tool.GateState{CDP: true} },
	})
	return err
}

func (h *host) stop() {
	_ = h.server.Close(context.Background())
	h.registry.StopAll(context.Background())
	h.tasks.Close()
}

// noRouter places no frame; the solvers send no commands of their own.
type noRouter struct{}

func (noRouter) Route(context.Context, capture.RouteRequest) (capture.Route, error) {
	return capture.Route{}, fault.New(fault.RouterUnavailable, "there is no router")
}
