package frames

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cdphost/host/capture"
	"cdphost/host/cdp/cdptest"
	"cdphost/host/endpoint"
	"cdphost/host/frame"
	"cdphost/host/plugin"
	"cdphost/host/server"
	"cdphost/host/supervisor"
	"cdphost/host/tool"
)

// host is the host's own parts, wired as its command does, with the frames plugin
// as a process and an MCP client.
type host struct {
	registry *supervisor.Registry
	plugins  *plugin.Manager
	client   *mcp.ClientSession
	catalog  *tool.Catalog
	toolset  *tool.Toolset

	close []func() error // newest last
}

// setup says how a host differs from the usual.
type setup struct {
	registry *supervisor.Registry
	wsURL    string
	plugin   plugin.Spec
	limits   frame.Limits
}

// router is the frames plugin of this binary.
func router(sameProcess string) plugin.Spec {
	return plugin.Spec{
		Name: "frames", Builtin: "frames", Grants: plugin.Grants{All: true},
		Config: json.RawMessage(`{"same_process":"` + sameProcess + `"}`),
	}
}

// everything is a frame_tree without limits.
var everything = frame.Limits{MaxChildren: -1, MaxOOPIFDepth: -1}

func startHost(ctx context.Context, o setup) (_ *host, err error) {
	h := &host{registry: o.registry}
	defer func() {
		if err != nil {
			err = errors.Join(err, h.end())
		}
	}()
	h.plugins, err = plugin.New(plugin.Options{
		SelfArgs: []string{"serve-plugin"}, Logger: logger(), StopTimeout: time.Second,
		BackoffMin: 10 * time.Millisecond, BackoffMax: 20 * time.Millisecond, RestartBudget: 2,
	})
	if err != nil {
		return h, err
	}
	h.close = append(h.close, h.plugins.Close)
	if err := h.plugins.Apply(ctx, []plugin.Spec{o.plugin}); err != nil {
		return h, err
	}
	u, err := endpoint.ParseURL(o.wsURL)
	if err != nil {
		return h, err
	}
	tasks := tool.NewLocal(tool.LocalOptions{
		Registry: o.registry, Captures: capture.NewManager(o.registry),
		Plan: func(toolset string) (tool.Plan, error) {
			return tool.Plan{
				Spec:     endpoint.Spec{Kind: endpoint.CDP, URL: u},
				Settings: supervisor.Settings{Toolset: toolset},
				Holder:   capture.Holder{Name: "agent", Trusted: true, KeepsWhatItMakes: true},
			}, nil
		},
		Join: func(url string) (endpoint.Spec, error) {
			joined, err := endpoint.ParseURL(url)
			return endpoint.Spec{Kind: endpoint.CDP, URL: joined, UserOwned: true}, err
		},
		Idle:   func() time.Duration { return 0 },
		Logger: logger(),
	})
	h.close = append(h.close, func() error { tasks.Close(); return nil }) // each agent has ended its task
	kit := &tool.Kit{
		Directory: tasks, Router: h.plugins.Router("frames"),
		FrameTree: func() frame.Limits { return o.limits }, Redact: tool.NewRedactor(hostSecret),
	}
	return h, h.serve(ctx, kit)
}

// hostSecret is a secret of the host's own configuration.
const hostSecret = "a-secret-of-this-host"

// serve offers the tools over MCP and connects a client to them.
func (h *host) serve(ctx context.Context, kit *tool.Kit) error {
	catalog, err := tool.NewCatalog(tool.Builtin(kit)...)
	if err != nil {
		return err
	}
	h.catalog, h.toolset = catalog, &tool.Toolset{Name: "browser", Tools: catalog.Names()}
	s, err := server.New(server.Options{
		Catalog: catalog, DefaultToolset: "browser", Logger: logger(),
		Toolsets: map[string]*tool.Toolset{"browser": h.toolset},
		Gates:    func(_, _ string) tool.GateState { return tool.GateState{CDP: true} },
	})
	if err != nil {
		return err
	}
	l, err := s.Listen(ctx, "127.0.0.1:0")
	if err != nil {
		return err
	}
	var serving sync.WaitGroup
	serving.Go(func() { _ = s.Serve(l) })
	h.close = append(h.close, func() error {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		err := s.Close(ctx)
		serving.Wait()
		return err
	})
	client := mcp.NewClient(&mcp.Implementation{Name: "frames-test", Version: "1"}, nil)
	// The session outlives the context of the test that made it.
	session, err := client.Connect(context.WithoutCancel(ctx), &mcp.StreamableClientTransport{
		Endpoint: "http://" + l.Addr().String() + "/mcp",
	}, nil)
	if err != nil {
		return err
	}
	h.client = session
	h.close = append(h.close, session.Close)
	return nil
}

// end ends everything in the reverse order of its start.
func (h *host) end() error {
	var errs []error
	for i := len(h.close) - 1; i >= 0; i-- {
		errs = append(errs, h.close[i]())
	}
	h.close = nil
	return errors.Join(errs...)
}

// newHost starts a host of the test's own.
func newHost(t testing.TB, o setup) *host {
	t.Helper()
	if o.registry == nil {
		o.registry = supervisor.NewRegistry(supervisor.Options{Logger: logger()})
		t.Cleanup(func() { o.registry.StopAll(context.Background()) })
	}
	h, err := startHost(bound(t), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.end(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// shared are the hosts on the shared browser, by the router's same_process.
var shared = struct {
	sync.Mutex
	hosts map[string]*host
}{hosts: map[string]*host{}}

// onShared returns the host on the shared browser whose router does so with frames
// that share their parent's process.
func onShared(t testing.TB, sameProcess string) *host {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if h := shared.hosts[sameProcess]; h != nil {
		return h
	}
	h, err := startHost(bound(t), setup{
		registry: registry, wsURL: cdptest.SharedChrome(t).WSURL, plugin: router(sameProcess), limits: everything,
	})
	if err != nil {
		t.Fatal(err)
	}
	shared.hosts[sameProcess] = h
	return h
}

func closeShared() error {
	shared.Lock()
	defer shared.Unlock()
	var errs []error
	for _, h := range shared.hosts {
		errs = append(errs, h.end())
	}
	return errors.Join(errs...)
}

// patience is how long anything may take on a loaded machine.
const patience = 60 * time.Second

// bound ends a wait that a fault would make endless; no test depends on its value.
func bound(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}
