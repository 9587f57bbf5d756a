package watch

import (
	"net/http"
	"runtime"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// toolBuckets, in seconds, span a snapshot, which asks nobody, and a task, which
// works for minutes.
var toolBuckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300}

// metrics are what is counted as it happens; the rest is a collector's.
type metrics struct {
	handler  http.Handler
	tool     *prometheus.HistogramVec // tool, code
	operator *prometheus.CounterVec   // request, code
	dialogs  *prometheus.CounterVec   // type, closed_by, action
}

func newMetrics(o *Options, f *feed) *metrics {
	registry := prometheus.NewRegistry()
	m := &metrics{
		handler: promhttp.HandlerFor(registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4}),
		tool: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "cdphost_tool_duration_seconds", Help: "Calls of tools, by error code; an empty one is a success.", Buckets: toolBuckets,
		}, []string{"tool", "code"}),
		operator: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "cdphost_operator_requests_total", Help: "Requests of operators that change something, by error code; an empty one is a success.",
		}, []string{"request", "code"}),
		dialogs: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "cdphost_dialogs_total", Help: "Dialogs that are over, by who closed them and how.",
		}, []string{"type", "closed_by", "action"}),
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "cdphost_build_info", Help: "Always 1.",
		ConstLabels: prometheus.Labels{"version": o.Version, "go": runtime.Version()},
	})
	build.Set(1)
	lost := prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "cdphost_watch_dropped_total", Help: "What the audit log and the count of dialogs lost, because it came too fast.",
	}, func() float64 { return float64(f.dropped.Load()) })
	registry.MustRegister(m.tool, m.operator, m.dialogs, build, lost, &collector{o},
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}
