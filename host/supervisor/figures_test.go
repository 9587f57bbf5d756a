package supervisor_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/endpoint"
	"cdphost/host/supervisor"

	"github.com/hashicorp/go-hclog"
)

// usage is what a process holds.
type usage struct {
	heap       uint64
	goroutines int
}

func measure() usage {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what finalizers of the first one let go
	runtime.ReadMemStats(&m)
	return usage{m.HeapAlloc, runtime.NumGoroutine()}
}

// TestIdleTasksCostLittle starts 500 tasks on one browser, each with a page, and
// stops them: memory, goroutines and sockets are back where they were. It does not
// run beside other tests, whose memory it would measure.
func TestIdleTasksCostLittle(t *testing.T) { //nolint:paralleltest // others would be counted too
	const tasks, perTask = 500, 40 << 10
	m := cdptest.New(t, cdptest.Options{})
	r := supervisor.NewRegistry(supervisor.Options{Logger: hclog.NewNullLogger(), Link: quick(t)})
	spec := cdpSpec(t, m.URL())
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	// One task stays all the time: the link is its.
	startIdle(ctx, t, r, spec, 0)
	round := func() (heap int64, goroutines int) {
		m.ForgetSent()
		before := measure()
		var wg sync.WaitGroup
		slots := make(chan struct{}, 16)
		for i := range tasks {
			wg.Go(func() {
				slots <- struct{}{}
				defer func() { <-slots }()
				startIdle(ctx, t, r, spec, i+1)
			})
		}
		wg.Wait()
		m.ForgetSent()
		running := measure()
		if n := m.Connections(); n != 1 {
			t.Errorf("%d sockets, want the link's", n)
		}
		for i := range tasks {
			r.Forget(ctx, idleKey(i+1))
		}
		m.ForgetSent()
		eventually(t, "the goroutines end", func() bool { return measure().goroutines <= before.goroutines })
		return int64(running.heap-before.heap) / tasks, running.goroutines - before.goroutines
	}
	heap, goroutines := round()
	t.Logf("a task costs %d bytes of heap, its page in the mock included, and %.2f goroutines", heap, float64(goroutines)/tasks)
	if heap > perTask {
		t.Errorf("a task costs %d bytes, want at most %d", heap, perTask)
	}
	if goroutines > tasks {
		t.Errorf("%d goroutines more, want at most one a task", goroutines)
	}
	// The tables have grown in the first round, and Go's never shrink. In the second
	// one nothing may stay.
	start := measure()
	round()
	if kept := (int64(measure().heap) - int64(start.heap)) / tasks; kept > 256 {
		t.Errorf("%d bytes of each stopped task are kept", kept)
	}
	if n := len(contextsOf(t, m.URL())); n != 1 {
		t.Errorf("%d contexts, want that of the task that stays", n)
	}
	r.StopAll(ctx)
	eventually(t, "the sockets close", func() bool { return m.Connections() == 0 })
}

func idleKey(i int) supervisor.Key { return supervisor.Key{Caller: "idle", TaskID: fmt.Sprint(i)} }

func startIdle(ctx context.Context, t *testing.T, r *supervisor.Registry, spec endpoint.Spec, i int) {
	s, err := r.GetOrStart(ctx, idleKey(i), spec, supervisor.Settings{})
	if err != nil {
		t.Error(err)
		return
	}
	if _, err := s.OpenPage(ctx); err != nil {
		t.Error(err)
	}
}
