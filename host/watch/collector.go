package watch

import (
	"time"

	"cdphost/host/cdp"

	"github.com/prometheus/client_golang/prometheus"
)

// collector asks the sources at each scrape.
type collector struct{ from *Options }

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("cdphost_"+name, help, labels, nil)
}

var (
	tasksDesc    = desc("tasks", "Tasks that are known; attached ones have a browser.", "state")
	pagesDesc    = desc("pages", "Pages of all tasks.")
	pendingDesc  = desc("dialogs_pending", "Dialogs that block a page now.")
	connsDesc    = desc("cdp_connections", "Connections to browsers.")
	messagesDesc = desc("cdp_messages_total", "CDP messages.", "direction")
	bytesDesc    = desc("cdp_bytes_total", "Bytes of CDP messages.", "direction")
	cdpDropDesc  = desc("cdp_dropped_total", "CDP messages and calls that came to nothing.", "reason")

	pluginUpDesc       = desc("plugin_up", "1 while the plugin is in order.", "plugin")
	pluginCallsDesc    = desc("plugin_calls_total", "Calls of hooks.", "plugin")
	pluginFailDesc     = desc("plugin_failures_total", "Calls of hooks that failed.", "plugin")
	pluginRestartsDesc = desc("plugin_restarts_total", "Restarts of the plugin's process.", "plugin")
	pluginFlightDesc   = desc("plugin_calls_in_flight", "Calls of hooks that run now.", "plugin")
	pluginQueueDesc    = desc("plugin_events_queued", "Events that wait for the plugin.", "plugin")
	pluginDropDesc     = desc("plugin_events_dropped_total", "Events that the plugin was too slow for.", "plugin")
	pluginTimeDesc     = desc("plugin_call_duration_seconds", "Quantiles of the last 1024 calls of hooks.", "plugin", "quantile")
)

// Describe implements prometheus.Collector.
func (c *collector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		tasksDesc, pagesDesc, pendingDesc, connsDesc, messagesDesc, bytesDesc, cdpDropDesc, pluginUpDesc, pluginCallsDesc,
		pluginFailDesc, pluginRestartsDesc, pluginFlightDesc, pluginQueueDesc, pluginDropDesc, pluginTimeDesc,
	} {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (c *collector) Collect(out chan<- prometheus.Metric) {
	if c.from.Tasks != nil {
		t := c.from.Tasks()
		gauge(out, tasksDesc, t.Attached, "attached")
		gauge(out, tasksDesc, t.Known-t.Attached, "idle")
		gauge(out, pagesDesc, t.Pages)
		gauge(out, pendingDesc, t.PendingDialogs)
	}
	if c.from.CDP != nil {
		stats, connections := c.from.CDP()
		gauge(out, connsDesc, connections)
		collectCDP(out, &stats)
	}
	if c.from.Plugins != nil {
		for _, p := range c.from.Plugins() {
			collectPlugin(out, &p)
		}
	}
}

func collectCDP(out chan<- prometheus.Metric, s *cdp.Stats) {
	counter(out, messagesDesc, s.Received, "in")
	counter(out, messagesDesc, s.Sent, "out")
	counter(out, bytesDesc, s.BytesIn, "in")
	counter(out, bytesDesc, s.BytesOut, "out")
	for reason, n := range map[string]uint64{
		"oversized": s.Oversized, "malformed": s.Malformed, "unmatched": s.Unmatched, "late": s.Late,
		"expired": s.Expired, "refused": s.Refused,
	} {
		counter(out, cdpDropDesc, n, reason)
	}
}

func collectPlugin(out chan<- prometheus.Metric, p *Plugin) {
	up := 0
	if p.Healthy {
		up = 1
	}
	gauge(out, pluginUpDesc, up, p.Name)
	counter(out, pluginCallsDesc, p.Calls, p.Name)
	counter(out, pluginFailDesc, p.Failures, p.Name)
	counter(out, pluginRestartsDesc, p.Restarts, p.Name)
	gauge(out, pluginFlightDesc, p.InFlight, p.Name)
	gauge(out, pluginQueueDesc, p.Queued, p.Name)
	counter(out, pluginDropDesc, p.Dropped, p.Name)
	for quantile, d := range map[string]time.Duration{"0.5": p.P50, "0.99": p.P99} {
		out <- prometheus.MustNewConstMetric(pluginTimeDesc, prometheus.GaugeValue, d.Seconds(), p.Name, quantile)
	}
}

func gauge(out chan<- prometheus.Metric, d *prometheus.Desc, v int, labels ...string) {
	out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(v), labels...)
}

func counter(out chan<- prometheus.Metric, d *prometheus.Desc, v uint64, labels ...string) {
	out <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(v), labels...)
}
