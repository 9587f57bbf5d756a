package tool

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"cdphost/host/capture"
	"cdphost/host/cdp/cdptest"
	"cdphost/host/endpoint"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// localBench is a Local on a mock browser.
type localBench struct {
	*Local
	browser *cdptest.Server
	policy  atomic.Value // the name that Plan gives
	changes atomic.Int32
	idle    time.Duration
	url     string // of the configured browser
}

func newLocalBench(t *testing.T) *localBench {
	t.Helper()
	b := &localBench{browser: cdptest.New(t, cdptest.Options{})}
	b.url = b.browser.HTTPURL()
	b.policy.Store("must_respond")
	registry := supervisor.NewRegistry(supervisor.Options{StartTimeout: 3 * time.Second})
	b.Local = NewLocal(LocalOptions{
		Registry: registry, Captures: capture.NewManager(registry),
		Plan: func(toolset string) (Plan, error) {
			spec, err := b.spec(b.url)
			name, _ := b.policy.Load().(string)
			return Plan{
				Spec: spec, Settings: supervisor.Settings{Toolset: toolset, PolicyName: name},
				Holder: capture.Holder{Name: "agent", Trusted: true, KeepsWhatItMakes: true},
			}, err
		},
		Join: func(url string) (endpoint.Spec, error) {
			spec, err := b.spec(url)
			spec.UserOwned = true
			return spec, err
		},
		Idle:    func() time.Duration { return b.idle },
		Changed: func() { b.changes.Add(1) },
	})
	t.Cleanup(func() {
		registry.StopAll(context.Background())
		b.Close()
	})
	return b
}

func (b *localBench) spec(url string) (endpoint.Spec, error) {
	u, err := endpoint.ParseURL(url)
	return endpoint.Spec{Kind: endpoint.CDP, URL: u}, err
}

var core = &Toolset{Name: "core"}

func TestLocalStartsATaskOnce(t *testing.T) {
	t.Parallel()
	b := newLocalBench(t)
	if _, err := b.Task(t.Context(), "ada", "a"); fault.CodeOf(err) != fault.TaskNotFound {
		t.Errorf("before: %v", err)
	}
	var wg sync.WaitGroup
	got := make([]Task, 8)
	for i := range got {
		wg.Go(func() {
			task, err := b.Start(t.Context(), "ada", "a", core)
			if err != nil {
				t.Error(err)
			}
			got[i] = task
		})
	}
	wg.Wait()
	for _, task := range got {
		if task != got[0] {
			t.Fatal("two callers got different tasks")
		}
	}
	again, err := b.Task(t.Context(), "ada", "a")
	if err != nil || again != got[0] {
		t.Errorf("%v, %v", again, err)
	}
	if !b.Attached("ada") || b.Attached("bob") {
		t.Error("Attached does not tell callers apart")
	}
	if _, err := b.Task(t.Context(), "bob", "a"); fault.CodeOf(err) != fault.TaskNotFound {
		t.Errorf("another caller's: %v", err)
	}
}

func TestLocalPagesAndCommands(t *testing.T) {
	t.Parallel()
	b := newLocalBench(t)
	task, err := b.Start(t.Context(), "ada", "a", core)
	if err != nil {
		t.Fatal(err)
	}
	tab, err := task.OpenPage(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	p, err := pageOf(task.Snapshot(), tab)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 { // the first calls make the handle that all use
		wg.Go(func() {
			if _, err := task.Call(t.Context(), p.SessionID, "Page.getFrameTree", nil, nil); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if _, err := task.Call(t.Context(), "", "Browser.close", nil, nil); err == nil {
		t.Error("a task closed the browser of all")
	}
}

func TestLocalStop(t *testing.T) {
	t.Parallel()
	b := newLocalBench(t)
	if _, err := b.Start(t.Context(), "ada", "a", core); err != nil {
		t.Fatal(err)
	}
	if err := b.Disconnect(t.Context(), "ada", "a"); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Task(t.Context(), "ada", "a"); fault.CodeOf(err) != fault.NoSupervisor {
		t.Errorf("after: %v", err)
	}
	if _, err := b.Start(t.Context(), "ada", "a", core); err != nil {
		t.Errorf("again: %v", err)
	}
}

func TestLocalFailedStartLeavesNothing(t *testing.T) {
	t.Parallel()
	b := newLocalBench(t)
	const url = "http://127.0.0.1:1" // nothing listens on it
	b.url = url
	for name, start := range map[string]func() error{
		"Start":   func() error { _, err := b.Start(t.Context(), "ada", "a", core); return err },
		"Connect": func() error { _, err := b.Connect(t.Context(), "ada", "a", core, Connection{URL: url}); return err },
	} {
		if err := start(); err == nil {
			t.Errorf("%s: a browser that is not there was started", name)
		}
		if ids := b.Tasks("ada"); len(ids) != 0 {
			t.Errorf("%s left %v", name, ids)
		}
	}
}

func TestLocalReapsIdleTasks(t *testing.T) {
	t.Parallel()
	b := newLocalBench(t)
	b.idle = time.Hour
	if _, err := b.Start(t.Context(), "ada", "a", core); err != nil {
		t.Fatal(err)
	}
	b.ReapIdle(t.Context(), time.Now().Add(59*time.Minute))
	if ids := b.Tasks("ada"); len(ids) != 1 {
		t.Fatalf("too early: %v", ids)
	}
	b.ReapIdle(t.Context(), time.Now().Add(61*time.Minute))
	if ids := b.Tasks("ada"); len(ids) != 0 {
		t.Errorf("still there: %v", ids)
	}
	if b.Attached("ada") {
		// The last of it ends on its own goroutine, which Close waits for.
		b.opts.Registry.StopAll(t.Context())
		b.Close()
		if b.Attached("ada") {
			t.Error("an ended task is attached")
		}
	}
}

func TestLocalReconfigure(t *testing.T) {
	t.Parallel()
	b := newLocalBench(t)
	if _, err := b.Start(t.Context(), "ada", "a", core); err != nil {
		t.Fatal(err)
	}
	b.policy.Store("auto_dismiss")
	b.Reconfigure()
	sup, _ := b.opts.Registry.Get(supervisor.Key{Caller: "ada", TaskID: "a"})
	if set := sup.Settings(); set.PolicyName != "auto_dismiss" || set.Toolset != "core" {
		t.Errorf("settings %+v", set)
	}
}

func TestLocalConnectAdopts(t *testing.T) {
	t.Parallel()
	b := newLocalBench(t)
	mine := b.browser.OpenPage("http://shop.test/cart", "")
	b.browser.OpenPage("http://mail.test/", "")
	for _, tc := range []struct {
		name, adopt string
		code        fault.Code
	}{
		{"pattern", "*shop*", ""},
		{"no match", "*bank*", fault.TabNotFound},
		{"two match", "http://*", fault.InvalidArgument},
	} {
		t.Run(tc.name, func(t *testing.T) {
			task, err := b.Connect(t.Context(), "ada", "a", core, Connection{URL: b.browser.HTTPURL(), Adopt: tc.adopt})
			if fault.CodeOf(err) != tc.code {
				t.Fatalf("err = %v, want %s", err, tc.code)
			}
			if err != nil {
				return
			}
			p, ok := task.Snapshot().CurrentPage()
			if !ok || p.URL != "http://shop.test/cart" {
				t.Errorf("current page %+v of %v", p, mine)
			}
		})
	}
}
