package demo

import (
	"context"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"cdphost/host/capture"
	"cdphost/host/dialog"
	"cdphost/host/endpoint"
	"cdphost/host/frame"
	"cdphost/host/page"
	"cdphost/host/server"
	"cdphost/host/supervisor"
	"cdphost/host/tool"
	"cdphost/sdk/fault"
)

// childEnv makes this test binary stand for a plugin's process.
const childEnv = "CDPHOST_DEMO_TEST_CHILD"

// bench is a host of real parts with a policy in the test's own process, and a
// process that is started again when it ends, as a plugin's is.
type bench struct {
	registry *supervisor.Registry
	endpoint string
	config   string

	mu    sync.Mutex
	child *exec.Cmd
	stop  bool
	work  sync.WaitGroup
}

func newBench(t *testing.T, config string) *bench {
	t.Helper()
	b := &bench{registry: supervisor.NewRegistry(supervisor.Options{}), config: config}
	captures := capture.NewManager(b.registry)
	tasks := tool.NewLocal(tool.LocalOptions{
		Registry: b.registry, Captures: captures,
		Plan: func(toolset string) (tool.Plan, error) {
			return tool.Plan{
				Spec:     endpoint.Spec{Kind: endpoint.Local, Headless: true},
				Settings: supervisor.Settings{Toolset: toolset, Policy: b, PolicyName: "test"},
				Page:     page.Options{},
				Holder:   capture.Holder{Name: "agent", Trusted: true, KeepsWhatItMakes: true},
			}, nil
		},
		Join: func(string) (endpoint.Spec, error) { return endpoint.Spec{}, fault.New(fault.Unsupported, "not here") },
		Idle: func() time.Duration { return 0 },
	})
	kit := &tool.Kit{Directory: tasks, Router: router{}, FrameTree: func() frame.Limits { return frame.Limits{} }}
	catalog, err := tool.NewCatalog(tool.Builtin(kit)...)
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(server.Options{
		Catalog: catalog, DefaultToolset: "browser",
		Toolsets: map[string]*tool.Toolset{"browser": {Name: "browser", Tools: catalog.Names()}},
		Gates:    func(_, _ string) tool.GateState { return tool.GateState{CDP: true} },
	})
	if err != nil {
		t.Fatal(err)
	}
	l, err := s.Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b.endpoint = "http://" + l.Addr().String() + "/mcp"
	b.work.Go(func() { _ = s.Serve(l) })
	b.start(t)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		if err := s.Close(ctx); err != nil {
			t.Error(err)
		}
		b.registry.StopAll(ctx)
		tasks.Close()
		b.mu.Lock()
		b.stop = true
		_ = b.child.Process.Kill()
		b.mu.Unlock()
		b.work.Wait()
	})
	return b
}

// start starts the process, and again each time it ends.
func (b *bench) start(t *testing.T) {
	t.Helper()
	run := func() (*exec.Cmd, error) {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), childEnv+"=1")
		in, err := c.StdinPipe()
		if err != nil {
			return nil, err
		}
		_ = in // stays open while the child lives
		return c, c.Start()
	}
	first, err := run()
	if err != nil {
		t.Fatal(err)
	}
	b.child = first
	b.work.Go(func() {
		for c := first; ; {
			_ = c.Wait()
			b.mu.Lock()
			if b.stop {
				b.mu.Unlock()
				return
			}
			c, err = run()
			if err == nil {
				b.child = c
			}
			b.mu.Unlock()
			if err != nil {
				t.Error(err)
				return
			}
		}
	})
}

func (b *bench) Endpoint() string { return b.endpoint }

func (b *bench) PluginPID(string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.child.Process.Pid
}

func (b *bench) Policy() string {
	data, err := os.ReadFile(b.config)
	if err == nil && strings.Contains(string(data), secondPolicy) {
		return secondPolicy
	}
	return firstPolicy
}

func (b *bench) Epoch(taskID string) uint64 {
	if s, ok := b.registry.Get(supervisor.Key{Caller: server.LocalCaller, TaskID: taskID}); ok {
		return s.Snapshot().Epoch
	}
	return 0
}

// Decide implements supervisor.Policy.
func (b *bench) Decide(context.Context, supervisor.PolicyRequest) (dialog.Verdict, error) {
	if b.Policy() == secondPolicy {
		return dialog.Verdict{Do: dialog.DoDismiss}, nil
	}
	return dialog.Verdict{Do: dialog.DoHold}, nil
}

type router struct{}

func (router) Route(_ context.Context, r capture.RouteRequest) (capture.Route, error) {
	if r.OwnSession == "" {
		return capture.Route{}, fault.New(fault.SameProcessFrame, "no")
	}
	return capture.Route{SessionID: r.OwnSession}, nil
}

// child blocks until its parent has gone.
func child() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}
