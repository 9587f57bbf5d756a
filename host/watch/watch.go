// Package watch is what people see of a running host besides its log: metrics
// for Prometheus, an append-only record of what was done and by whose decision,
// and spans for OpenTelemetry.
//
// Nothing that tells it something waits for it: what can't be counted at once
// goes over a bounded queue, and what that loses is counted and said. Neither
// texts of pages nor arguments are recorded, only their digests.
package watch

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"cdphost/host/capture"
	"cdphost/host/cdp"
	"cdphost/host/supervisor"

	"github.com/hashicorp/go-hclog"
	"go.opentelemetry.io/otel/trace"
)

// Options are where a Watch gets what it is not told. Sources are asked at each
// scrape, or by the goroutine that writes the record; nil ones are left out.
type Options struct {
	// Version is the host's.
	Version string
	Logger  hclog.Logger

	Tasks   func() Tasks
	Plugins func() []Plugin
	// CDP returns what all connections to browsers did, and how many there are.
	CDP func() (cdp.Stats, int)
	// PolicyPlugin names the plugin that offers a dialog policy.
	PolicyPlugin func(policy string) string
}

// Tasks counts tasks and what they have.
type Tasks struct {
	Known, Attached       int
	Pages, PendingDialogs int
}

// Plugin is how one plugin is doing.
type Plugin struct {
	Name                      string
	Healthy                   bool
	Calls, Failures, Restarts uint64
	InFlight, Queued          int
	Dropped                   uint64
	P50, P99                  time.Duration
}

// ToolCall is one finished call of a tool.
type ToolCall struct {
	Caller, Toolset, Tool string
	// By is "operator" for a call over the control socket, "" for an agent's.
	By string
	// Args are the JSON arguments. They must not be changed.
	Args []byte
	// Code is the error code, "" for a success.
	Code     string
	Duration time.Duration
}

// OperatorRequest is one finished request over the control socket.
type OperatorRequest struct {
	Request string
	// Args are the JSON of the request. They must not be changed.
	Args []byte
	// Code is the error code, "" for a success.
	Code     string
	Duration time.Duration
}

// Settings say what is recorded and where it goes.
type Settings struct {
	// AuditFile is where the record goes; "" keeps none.
	AuditFile string
	// OTLPEndpoint is where spans go, over HTTP; "" makes none.
	OTLPEndpoint string
	// Config names the configuration that all of this is done under.
	Config string
}

// Watch is told of everything and shows it. Its methods may be called at once.
type Watch struct {
	opts    Options
	metrics *metrics
	feed    *feed

	settings atomic.Pointer[Settings]
	tracing  atomic.Pointer[tracing]
}

// New makes a Watch that measures, and records nothing until Prepare.
func New(o Options) *Watch {
	if o.Logger == nil {
		o.Logger = hclog.NewNullLogger()
	}
	w := &Watch{opts: o}
	w.feed = newFeed(o.Logger)
	w.metrics = newMetrics(&o, w.feed)
	w.settings.Store(&Settings{})
	return w
}

// Handler serves the metrics.
func (w *Watch) Handler() http.Handler { return w.metrics.handler }

// Tracer makes spans; it is nil while none are wanted.
func (w *Watch) Tracer() trace.Tracer {
	if t := w.tracing.Load(); t != nil {
		return t.tracer
	}
	return nil
}

// ToolCall is to be told of each finished tool call.
func (w *Watch) ToolCall(c ToolCall) {
	w.metrics.tool.WithLabelValues(c.Tool, c.Code).Observe(c.Duration.Seconds())
	w.record(len(c.Args), func(e *entry) { e.toolCall(&c) })
}

// Operator is to be told of each finished request that changes something.
func (w *Watch) Operator(r OperatorRequest) {
	w.metrics.operator.WithLabelValues(r.Request, r.Code).Inc()
	w.record(len(r.Args), func(e *entry) { e.operator(&r) })
}

// Command is to be told of each command of a handle.
func (w *Watch) Command(r capture.Record) {
	w.record(len(r.Command.Params)+len(r.Reply), func(e *entry) { e.command(&r) })
}

// Event is to be told of the host events of tasks; others it passes over.
func (w *Watch) Event(e supervisor.Event) {
	switch e.Method {
	case supervisor.HostDialogOpened, supervisor.HostDialogDecided, supervisor.HostDialogClosed:
	default:
		return
	}
	at, config := time.Now(), w.settings.Load().Config
	w.feed.put(item{weight: len(e.Params), do: func(l *ledger) {
		d := readDialog(e.Params)
		if e.Method == supervisor.HostDialogClosed {
			w.metrics.dialogs.WithLabelValues(d.Type, d.ClosedBy, orNone(d.Action)).Inc()
		}
		l.write(at, config, func(out *entry) { out.dialog(&e, d, w.opts.PolicyPlugin) })
	}})
}

// PluginRestarted is to be told of each restart of a plugin.
func (w *Watch) PluginRestarted(name string) {
	w.record(0, func(e *entry) { e.Kind, e.Plugin = "plugin_restarted", name })
}

// record has an entry made and written, off the caller's path.
func (w *Watch) record(weight int, fill func(*entry)) {
	s := w.settings.Load()
	if s.AuditFile == "" {
		return
	}
	at := time.Now()
	w.feed.put(item{weight: weight, do: func(l *ledger) { l.write(at, s.Config, fill) }})
}

// Close writes what is on its way, within ctx, and ends everything.
func (w *Watch) Close(ctx context.Context) error {
	w.feed.close()
	var err error
	if t := w.tracing.Swap(nil); t != nil {
		err = t.close(ctx)
	}
	return errors.Join(err, w.feed.ledger.close())
}
