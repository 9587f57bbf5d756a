package main

import (
	"net/http"
	"slices"

	"cdphost/host/config"
	"cdphost/host/link"
	"cdphost/host/server"
	"cdphost/host/server/control"
	"cdphost/host/supervisor"
	"cdphost/host/watch"
	"cdphost/sdk/fault"
)

// startWatch makes what people see of the host. It is told of things from the
// parts that are started after it.
func (h *host) startWatch() error {
	h.meter = link.NewMeter()
	h.watch = watch.New(watch.Options{
		Version: version, Logger: h.logger.Named("watch"),
		Tasks: h.countTasks, Plugins: h.pluginStates, CDP: h.meter.Stats, PolicyPlugin: h.policyPlugin,
	})
	c, err := h.watch.Prepare(watchSettings(h.config.Load()), nil)
	if err != nil {
		return err
	}
	c.Commit()
	return nil
}

func watchSettings(cfg *config.Config) watch.Settings {
	return watch.Settings{AuditFile: cfg.Audit.File, OTLPEndpoint: cfg.Trace.OTLPEndpoint, Config: cfg.Version()}
}

func (h *host) countTasks() watch.Tasks {
	var n watch.Tasks
	n.Known = len(h.registry.Tasks(""))
	h.registry.Each(func(s *supervisor.Supervisor) {
		snap := s.Snapshot()
		n.Attached++
		n.Pages += len(snap.Pages)
		n.PendingDialogs += len(snap.Pending)
	})
	return n
}

func (h *host) pluginStates() []watch.Plugin {
	status := h.plugins.Status()
	out := make([]watch.Plugin, len(status))
	for i, s := range status {
		out[i] = watch.Plugin{
			Name: s.Name, Healthy: s.Health == "ok", Calls: s.Calls, Failures: s.Failures, Restarts: s.Restarts,
			InFlight: s.InFlight, Queued: s.QueueDepth, Dropped: s.Dropped, P50: s.P50, P99: s.P99,
		}
	}
	return out
}

// policyPlugin names the plugin that offers a dialog policy.
func (h *host) policyPlugin(policy string) string {
	for _, s := range h.plugins.Status() {
		if slices.Contains(s.Policies, policy) {
			return s.Name
		}
	}
	return ""
}

// metricsHandler serves the metrics while the configuration wants them.
func (h *host) metricsHandler() http.Handler {
	if !h.config.Load().Server.Metrics {
		return nil
	}
	return h.watch.Handler()
}

func (h *host) observe(o server.Observation) {
	h.watch.ToolCall(watch.ToolCall{
		Caller: o.Caller, Toolset: o.Toolset, Tool: o.Tool, Args: o.Args, Code: o.Code, Duration: o.Duration,
	})
}

// observeOperator records an operator's request. Those that only look are not
// worth it; a tool call is recorded as one, by call.
func (h *host) observeOperator(r control.Request) {
	switch r.Name {
	case "info", "plugins", "tasks", "dialogs", "call":
		return
	}
	code := ""
	if r.Err != nil {
		code = string(fault.CodeOf(r.Err))
	}
	h.watch.Operator(watch.OperatorRequest{Request: r.Name, Args: r.Body, Code: code, Duration: r.Duration})
}

// publish hands an event of a task to whoever wants it. It must not wait.
func (h *host) publish(e supervisor.Event) {
	h.watch.Event(e)
	h.plugins.Publish(e)
}

// publishMethods are the events that publish wants.
func (h *host) publishMethods() []string {
	return append(h.plugins.EventMethods(), supervisor.HostDialogOpened, supervisor.HostDialogDecided, supervisor.HostDialogClosed)
}
