package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"cdphost/host/capture"
	"cdphost/host/config"
	"cdphost/host/endpoint"
	"cdphost/host/frame"
	"cdphost/host/link"
	"cdphost/host/plugin"
	"cdphost/host/server"
	"cdphost/host/server/control"
	"cdphost/host/supervisor"
	"cdphost/host/tool"
	"cdphost/host/watch"

	"github.com/hashicorp/go-hclog"
)

// host is a running cdphost: the parts, wired.
type host struct {
	mode     string
	logger   hclog.Logger
	config   atomic.Pointer[config.Config]
	plugins  *plugin.Manager
	registry *supervisor.Registry
	captures *capture.Manager
	tasks    *tool.Local
	catalog  *tool.Catalog
	agents   *agents
	redactor *tool.Redactor
	server   *server.Server
	control  *control.Server
	watch    *watch.Watch
	meter    *link.Meter
	watcher  *config.Watcher

	swapped chan struct{} // plugins have changed; holds one
	work    sync.WaitGroup
	stop    context.CancelFunc

	applying sync.Mutex                  // one change of the configuration at a time
	debugged map[string]*plugin.Reattach // plugins under a debugger; guarded by applying
	closing  sync.Once
}

// hostOptions are what a command says beside the configuration.
type hostOptions struct {
	config *config.Config
	mode   string    // "serve", "mcp" or "demo"
	log    io.Writer // where the log goes

	transcripts string // folder for records of the task tool's runs; "" for none
}

// startHost starts everything but what others connect to: MCP and the control
// socket.
func startHost(ctx context.Context, o hostOptions) (_ *host, err error) {
	h := &host{mode: o.mode, logger: newLogger(o.config, o.log), swapped: make(chan struct{}, 1)}
	background, stop := context.WithCancel(context.Background())
	h.stop = stop
	h.config.Store(o.config)
	defer func() {
		if err != nil {
			h.close(context.WithoutCancel(ctx))
		}
	}()
	if _, err := endpoint.SweepStaleProfiles(); err != nil {
		h.logger.Debug("stale profiles were not removed", "error", err)
	}
	if err := h.startWatch(); err != nil {
		return nil, err
	}
	h.registry = supervisor.NewRegistry(supervisor.Options{
		Logger: h.logger.Named("browser"),
		Link: link.Options{
			ReadLimit: o.config.Browser.ReadLimitBytes,
			Meter:     h.meter,
			Provider:  func(r endpoint.Rental) (endpoint.Provider, error) { return provider(h.config.Load(), r) },
		},
	})
	h.captures = capture.NewManager(h.registry)
	h.captures.Observe(h.watch.Command)
	h.captures.Trace(h.watch.Tracer)
	if err := h.startPlugins(ctx); err != nil {
		return nil, err
	}
	h.tasks = tool.NewLocal(tool.LocalOptions{
		Registry: h.registry, Captures: h.captures,
		Plan:    h.plan,
		Join:    func(url string) (endpoint.Spec, error) { return userBrowser(h.config.Load(), url) },
		Budget:  func(toolset string) tool.Budget { return budget(h.config.Load(), toolset) },
		Idle:    func() time.Duration { return h.config.Load().Server.IdleTask },
		Changed: h.refresh,
		Logger:  h.logger.Named("tasks"),
	})
	if err := h.startServer(o.transcripts); err != nil {
		return nil, err
	}
	h.watcher, err = config.Watch(o.config, config.WatchOptions{Logger: h.logger}, h.changed)
	if err != nil {
		return nil, fmt.Errorf("watching the configuration: %w", err)
	}
	h.work.Go(func() { h.followPlugins(background) })
	return h, nil
}

func (h *host) startPlugins(ctx context.Context) error {
	m, err := plugin.New(plugin.Options{
		Logger:  h.logger.Named("plugin"),
		Host:    plugin.Captured(h.captures),
		Toolset: h.toolsetOf,
		OnSwap:  h.pluginsChanged,
		OnRestart: func(name string) {
			h.watch.PluginRestarted(name)
			h.pluginsChanged()
		},
		Tracer: h.watch.Tracer,
	})
	if err != nil {
		return err
	}
	h.plugins = m
	cfg := h.config.Load()
	if err := m.Apply(ctx, pluginSpecs(cfg)); err != nil {
		return explainPlugin(cfg, err)
	}
	h.captures.SetGuards(guards(m))
	return checkNames(cfg, m)
}

func (h *host) startServer(transcripts string) error {
	h.redactor = tool.NewRedactor(secrets(h.config.Load())...)
	kit := &tool.Kit{
		Directory: h.tasks,
		Router:    h.plugins.Router("frames"),
		FrameTree: func() frame.Limits {
			t := h.config.Load().Browser.FrameTree
			return frame.Limits{MaxChildren: t.MaxChildren, MaxOOPIFDepth: t.MaxOOPIFDepth}
		},
		Redact: h.redactor,
	}
	task, err := h.startAgents(kit, transcripts)
	if err != nil {
		return err
	}
	catalog, err := tool.NewCatalog(append(tool.Builtin(kit), task)...)
	if err != nil {
		return err
	}
	h.catalog = catalog
	h.offerPluginTools()
	a := access(h.config.Load())
	h.server, err = server.New(server.Options{
		Catalog: catalog, Toolsets: a.Toolsets, DefaultToolset: a.DefaultToolset,
		Gates:          h.gates,
		Tokens:         a.Tokens,
		AllowedHosts:   a.AllowedHosts,
		AllowedOrigins: a.AllowedOrigins,
		Version:        version,
		Answer:         h.tasks.Answer,
		Prompts:        server.BrowserPrompts(h.tasks),
		Resources:      h.agents.artifacts.Read,
		Observe:        h.observe,
		Metrics:        h.metricsHandler,
		Tracer:         h.watch.Tracer,
		Logger:         h.logger.Named("mcp"),
	})
	return err
}

// pluginsChanged is told that other plugin processes answer from now on. It must
// not wait, so the work is done elsewhere, once for all changes until then.
func (h *host) pluginsChanged() {
	select {
	case h.swapped <- struct{}{}:
	default:
	}
}

// followPlugins gives tasks and tools what the plugins of now have.
func (h *host) followPlugins(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.swapped:
			h.offerPluginTools()
			h.tasks.Reconfigure()
			h.redecide()
		}
	}
}

// refresh has the gates judged anew; the server may not be there yet.
func (h *host) refresh() {
	if h.server != nil {
		h.server.Refresh()
	}
}

func (h *host) redecide() {
	h.registry.Each(func(s *supervisor.Supervisor) { s.Redecide() })
}

func (h *host) toolsetOf(key supervisor.Key) string {
	if s, ok := h.registry.Get(key); ok {
		return s.Settings().Toolset
	}
	return ""
}

// plan says what configuration has for tasks of a toolset.
func (h *host) plan(toolset string) (tool.Plan, error) {
	cfg := h.config.Load()
	spec, err := backend(cfg)
	return tool.Plan{
		Spec: spec, Settings: h.settings(toolset),
		Page: pageOptions(cfg, toolset, h.logger), Holder: agentHolder(cfg, toolset),
	}, err
}

func (h *host) settings(toolset string) supervisor.Settings {
	cfg := h.config.Load()
	name := cfg.Browser.DialogPolicy
	if t, ok := cfg.Toolsets[toolset]; ok && t.DialogPolicy != "" {
		name = t.DialogPolicy
	}
	return supervisor.Settings{
		Toolset: toolset,
		Policy:  h.plugins.Policy(name), PolicyName: name,
		DialogTimeout:  cfg.Browser.DialogTimeout,
		MessageCap:     cfg.Browser.DialogMessageCap,
		FloodPerSecond: cfg.Browser.DialogFloodPerSecond,
		Publish:        h.publish, PublishMethods: h.publishMethods(),
		Bridge: h.bridge(cfg),
	}
}

func (h *host) gates(_, caller string) tool.GateState {
	cfg := h.config.Load()
	on, why := cfg.SubagentOn()
	return tool.GateState{CDP: cfg.Browser.Backend.HasCDP(), Attached: h.tasks.Attached(caller), Model: on, ModelReason: why, Env: os.LookupEnv}
}

// close ends everything, in the order in which the parts depend on each other. It
// may be called twice; the first call does the work.
func (h *host) close(ctx context.Context) { h.closing.Do(func() { h.end(ctx) }) }

func (h *host) end(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	h.stop()
	h.work.Wait()
	var errs []error
	if h.watcher != nil {
		errs = append(errs, h.watcher.Close())
	}
	if h.control != nil {
		errs = append(errs, h.control.Close(ctx))
	}
	if h.server != nil {
		errs = append(errs, h.server.Close(ctx))
	}
	if h.registry != nil {
		h.registry.StopAll(ctx)
	}
	if h.tasks != nil {
		h.tasks.Close()
	}
	h.agents.close()
	if h.plugins != nil {
		errs = append(errs, h.plugins.Close())
	}
	if h.watch != nil {
		errs = append(errs, h.watch.Close(ctx))
	}
	if err := errors.Join(errs...); err != nil {
		h.logger.Warn("not everything ended cleanly", "error", err)
	}
}
