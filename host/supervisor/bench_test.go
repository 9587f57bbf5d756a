package supervisor_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/endpoint"
	"cdphost/host/link"
	"cdphost/host/supervisor"

	"github.com/hashicorp/go-hclog"
)

// onBench is a registry for tasks on a mock, and the mock's address.
func onBench(b *testing.B, m *cdptest.Server, o link.Options) (*supervisor.Registry, endpoint.Spec) {
	b.Helper()
	o.JournalDir, o.NoStandby = b.TempDir(), true
	r := supervisor.NewRegistry(supervisor.Options{Logger: hclog.NewNullLogger(), Link: o})
	b.Cleanup(func() { r.StopAll(context.Background()) })
	u, err := endpoint.ParseURL(m.URL())
	if err != nil {
		b.Fatal(err)
	}
	return r, endpoint.Spec{Kind: endpoint.CDP, URL: u}
}

// benched starts a task with pages on a mock.
func benched(b *testing.B, pages int, o link.Options) (*cdptest.Server, *supervisor.Supervisor) {
	b.Helper()
	m := cdptest.New(b, cdptest.Options{})
	r, spec := onBench(b, m, o)
	s, err := r.GetOrStart(b.Context(), supervisor.Key{TaskID: "b"}, spec, supervisor.Settings{FloodPerSecond: 1 << 20})
	if err != nil {
		b.Fatal(err)
	}
	for range pages {
		if _, err := s.OpenPage(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	return m, s
}

// BenchmarkSnapshot reads a task's state.
func BenchmarkSnapshot(b *testing.B) {
	_, s := benched(b, 3, link.Options{})
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := s.Snapshot().CurrentPage(); !ok {
			b.Fatal("no page")
		}
	}
}

// BenchmarkDialogUnderLoad measures how long after the browser's write a dialog is
// in the snapshot, while 50 pages together send 20,000 console events of 850 bytes
// a second, each of them too few to be muted.
func BenchmarkDialogUnderLoad(b *testing.B) {
	const pages, perSecond, size = 50, 400, 850
	m, s := benched(b, pages, link.Options{})
	ctx, cancel := context.WithTimeout(b.Context(), time.Minute)
	var wg sync.WaitGroup
	var mu sync.Mutex
	sent := 0
	began := time.Now()
	for _, p := range s.Snapshot().Pages[1:] {
		page := m.Page(p.TargetID)
		wg.Go(func() {
			n := page.Flood(ctx, perSecond, size)
			mu.Lock()
			defer mu.Unlock()
			sent += n
		})
	}
	first := s.Snapshot().Pages[0]
	page := m.Page(first.TargetID)
	var worst, total time.Duration
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		d := page.OpenDialog("alert", "under load", "")
		at := time.Now()
		_, err := s.Wait(ctx, func(snap *supervisor.Snapshot) bool { _, blocked := snap.Blocked(first.TabID); return blocked })
		if err != nil {
			b.Fatal(err)
		}
		took := time.Since(at)
		total += took
		worst = max(worst, took)
		n++
		d.Close(true, "")
		if _, err := s.Wait(ctx, func(snap *supervisor.Snapshot) bool { return len(snap.Pending) == 0 }); err != nil {
			b.Fatal(err)
		}
	}
	cancel()
	wg.Wait()
	b.ReportMetric(float64(total.Microseconds())/float64(n)/1000, "ms/dialog")
	b.ReportMetric(float64(worst.Microseconds())/1000, "ms-worst")
	b.ReportMetric(float64(sent)/time.Since(began).Seconds(), "events/s")
}

// BenchmarkReconnect measures from the drop of a link until a task with 10 pages is
// as it was, the pause before the first try (0.5 s by default) left out.
func BenchmarkReconnect(b *testing.B) {
	const pages = 10
	m, s := benched(b, pages, link.Options{BackoffMin: time.Microsecond, MinUptime: time.Nanosecond})
	for b.Loop() {
		epoch := s.Snapshot().Epoch
		m.Drop()
		_, err := s.Wait(b.Context(), func(snap *supervisor.Snapshot) bool {
			attached := 0
			for _, p := range snap.Pages {
				if p.SessionID != "" {
					attached++
				}
			}
			return snap.Connected && snap.Epoch > epoch && attached == pages
		})
		if err != nil {
			b.Fatal(err)
		}
		// A drop before the link has looked at everything would cost its budget.
		b.StopTimer()
		p, err := s.OpenPage(b.Context())
		if err == nil {
			err = s.ClosePage(b.Context(), p.TabID)
		}
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

// BenchmarkIdleTask starts tasks with a page each on one mock browser and reports
// what each of them keeps, the mock's own page included.
func BenchmarkIdleTask(b *testing.B) {
	m := cdptest.New(b, cdptest.Options{})
	r, spec := onBench(b, m, link.Options{})
	before := measure()
	n := 0
	for b.Loop() {
		n++
		s, err := r.GetOrStart(b.Context(), idleKey(n), spec, supervisor.Settings{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := s.OpenPage(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	m.ForgetSent()
	after := measure()
	b.ReportMetric(float64(after.heap-before.heap)/float64(n)/1024, "KiB-kept/task")
	b.ReportMetric(float64(after.goroutines-before.goroutines)/float64(n), "goroutines/task")
}
