//go:build unix

package plugin_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"cdphost/host/cdp"
	"cdphost/host/plugin"
	"cdphost/host/supervisor"
	"cdphost/sdk"
)

// BenchmarkPolicyHop is one decision by a plugin process. The same decision in
// this process is made in turn with it, so that both see the same machine:
// over-us is what the process costs.
func BenchmarkPolicyHop(b *testing.B) {
	m := newManager(b)
	apply(b, m, spec("p", "good"))
	p, req := m.Policy("test"), request("")
	local := &tested{mode: "good", env: sdk.Env[config]{Config: config{Verdict: "hold"}, Generation: 1}}
	same := sdk.DialogRequest{Policy: "test", Dialog: sdk.Dialog{ID: "d-1", Type: sdk.Alert}, TopURL: req.TopURL, FrameKind: sdk.FrameTop}
	ctx := context.Background()
	var there, here []time.Duration
	b.ReportAllocs()
	for b.Loop() {
		start := time.Now()
		if _, err := p.Decide(ctx, req); err != nil {
			b.Fatal(err)
		}
		between := time.Now()
		if _, err := local.Decide(ctx, same); err != nil {
			b.Fatal(err)
		}
		there, here = append(there, between.Sub(start)), append(here, time.Since(between))
	}
	out, in := percentile(there, 50), percentile(here, 50)
	b.ReportMetric(out, "p50-us")
	b.ReportMetric(percentile(there, 99), "p99-us")
	b.ReportMetric(in, "in-process-p50-us")
	b.ReportMetric(out-in, "over-us")
}

// percentile sorts durations and returns one of them in microseconds.
func percentile(durations []time.Duration, p int) float64 {
	slices.Sort(durations)
	return float64(durations[min(len(durations)-1, len(durations)*p/100)].Nanoseconds()) / 1000
}

// BenchmarkGuardHop is one verdict of a guard process.
func BenchmarkGuardHop(b *testing.B) {
	m := newManager(b)
	apply(b, m, spec("p", "guard"))
	g := m.Guards("Page.navigate")[0]
	req := plugin.GuardRequest{Command: cdp.Command{Method: "Page.navigate", Params: json.RawMessage(`{"url":"https://a.test"}`)}}
	for b.Loop() {
		if _, err := g.Validate(context.Background(), req); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkUnmatchedGuard is what a guard costs a command that it does not see.
func BenchmarkUnmatchedGuard(b *testing.B) {
	m := newManager(b)
	apply(b, m, spec("p", "guard"))
	b.ReportAllocs()
	for b.Loop() {
		if m.Guards("Runtime.evaluate") != nil {
			b.Fatal("matched")
		}
	}
}

// BenchmarkEvents is the way of 1 KB events to a plugin process.
func BenchmarkEvents(b *testing.B) {
	m := newManager(b)
	apply(b, m, spec("p", "events"))
	e := supervisor.Event{
		Task: supervisor.Key{Caller: "c", TaskID: "t"}, Method: "Page.frameNavigated", Time: time.Now(),
		Params: json.RawMessage(`{"x":"` + strings.Repeat("x", 1000) + `"}`),
	}
	b.SetBytes(int64(len(e.Params)))
	for b.Loop() {
		for m.Status()[0].QueueDepth > 4096 {
			time.Sleep(100 * time.Microsecond)
		}
		for range 1000 {
			e.Seq++
			m.Publish(e)
		}
	}
	for m.Status()[0].QueueDepth > 0 {
		time.Sleep(100 * time.Microsecond)
	}
	if d := m.Status()[0].Dropped; d > 0 {
		b.Errorf("%d dropped", d)
	}
	b.ReportMetric(float64(b.N)*1000/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkStart is the time from nothing to a configured plugin.
func BenchmarkStart(b *testing.B) {
	m := newManager(b)
	on := atomic.Bool{}
	for b.Loop() {
		if on.Swap(true) {
			b.StopTimer()
			apply(b, m)
			b.StartTimer()
		}
		apply(b, m, spec("p", "good"))
	}
}

// BenchmarkBeforeSend is a call of a plugin with and without a validator; the
// difference is the validator's price.
func BenchmarkBeforeSend(b *testing.B) {
	for name, do := range map[string]string{"without": "bench", "with": "bench-before-send"} {
		b.Run(name, func(b *testing.B) {
			m := newManager(b, func(o *plugin.Options) { o.Host = newFakeHost() })
			apply(b, m, spec("p", "good"))
			out, err := callTool(b, m, "cdp", map[string]any{"do": do, "n": 2000})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
			}
			b.ReportMetric(out["p50_us"].(float64), "p50-us")
		})
	}
}
