package plugin

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"cdphost/sdk/fault"
	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
	"cdphost/sdk/proto/wire"
)

// generation is one configured plugin process and its clients.
type generation struct {
	spec   *Spec
	number uint64
	logger hclog.Logger
	opts   *Options

	link    *link
	host    *hostServer // nil when the plugin is served none
	life    pluginv1.PluginClient
	desc    Description
	guard   *guardFilter
	bridge  *BridgeSetup
	events  *methodFilter
	tools   []Tool
	started time.Time

	policy     pluginv1.DialogPolicyClient
	router     pluginv1.FrameRouterClient
	bridgeHook pluginv1.DialogBridgeClient
	guardHook  pluginv1.CommandGuardClient
	toolHook   pluginv1.ToolProviderClient
	eventHook  pluginv1.EventSubscriberClient

	kick chan struct{} // asks for a health check at once

	mu       sync.Mutex
	inflight int
	draining bool
	drained  chan struct{}
	cause    string // why it was given up, "" for a crash
	unwell   string // the last failed health check
}

// begin launches a plugin and asks what it is.
func (l *launcher) begin(ctx context.Context, spec *Spec, number uint64) (*generation, error) {
	logger := l.opts.Logger.Named(spec.Name)
	stage, cancel := context.WithTimeout(ctx, l.opts.StartTimeout)
	defer cancel()
	k, err := l.launch(stage, spec, logger)
	if err != nil {
		return nil, err
	}
	g := &generation{
		spec: spec, number: number, logger: logger, opts: l.opts, link: k,
		life:       pluginv1.NewPluginClient(k.conn),
		policy:     pluginv1.NewDialogPolicyClient(k.conn),
		router:     pluginv1.NewFrameRouterClient(k.conn),
		bridgeHook: pluginv1.NewDialogBridgeClient(k.conn),
		guardHook:  pluginv1.NewCommandGuardClient(k.conn),
		toolHook:   pluginv1.NewToolProviderClient(k.conn),
		eventHook:  pluginv1.NewEventSubscriberClient(k.conn),
		kick:       make(chan struct{}, 1), drained: make(chan struct{}), started: time.Now(),
	}
	d, err := stepCall(ctx, g, "Describe", func(ctx context.Context) (*pluginv1.DescribeResponse, error) {
		return g.life.Describe(ctx, &pluginv1.DescribeRequest{})
	})
	if err == nil {
		g.desc = describe(d)
		g.desc.Instance = spec.Name
		if len(g.desc.Hooks) == 0 {
			err = fault.New(fault.PluginUnavailable, "plugin %s has no hook that this cdphost knows", spec.Name)
		}
	}
	if err != nil {
		g.link.close()
		return nil, err
	}
	return g, nil
}

// configure makes the plugin ready for its hooks. On an error it is closed.
func (g *generation) configure(ctx context.Context) error {
	err := g.tryConfigure(ctx)
	if err != nil {
		g.close()
	}
	return err
}

func (g *generation) tryConfigure(ctx context.Context) error {
	req := &pluginv1.ConfigureRequest{Config: g.spec.Config, Instance: g.spec.Name, Generation: g.number}
	if g.opts.Host != nil {
		g.host = serveHost(g)
		req.HostBrokerId = g.host.id
	}
	resp, err := stepCall(ctx, g, "Configure", func(ctx context.Context) (*pluginv1.ConfigureResponse, error) {
		return g.life.Configure(ctx, req)
	})
	if err != nil {
		return err
	}
	if err := configError(g.spec.Name, resp.GetProblems()); err != nil {
		return err
	}
	if g.desc.has(hookGuard) {
		if g.guard, err = newGuardFilter(resp.GetGuard()); err != nil {
			return fault.New(fault.PluginUnavailable, "plugin %s: %v", g.spec.Name, err)
		}
	}
	if g.desc.has(hookBridge) {
		g.bridge = bridgeSetup(resp.GetBridge())
	}
	if g.desc.has(hookEvent) {
		g.events = newMethodFilter(resp.GetEvents().GetMethods())
	}
	if g.desc.has(hookTool) {
		tools, err := stepCall(ctx, g, "Tools", func(ctx context.Context) (*pluginv1.ToolsResponse, error) {
			return g.toolHook.Tools(ctx, &pluginv1.ToolsRequest{})
		})
		if err != nil {
			return err
		}
		if g.tools, err = toolsFrom(g.spec.Name, tools); err != nil {
			return err
		}
	}
	return nil
}

// stepCall runs one step of a start with its own deadline.
func stepCall[T any](ctx context.Context, g *generation, step string, f func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, g.opts.StartTimeout)
	defer cancel()
	v, err := f(ctx)
	if err == nil {
		return v, nil
	}
	gone := status.Code(err) == codes.Unavailable
	err = wire.FromStatus(err, g.peer())
	switch code := fault.CodeOf(err); {
	case code == fault.Timeout:
		err = fault.Wrap(err, fault.PluginUnavailable, "plugin %s hangs in %s: no answer within %s", g.spec.Name, step, g.opts.StartTimeout)
	case gone:
		words := ""
		if p := g.link.process; p != nil {
			words = p.lastWords()
		}
		err = fault.Wrap(err, fault.PluginUnavailable, "plugin %s ended in %s%s", g.spec.Name, step, words)
	case code == fault.Unsupported:
		err = fault.Wrap(err, fault.PluginUnavailable, "plugin %s does not serve %s; build it with this cdphost's SDK", g.spec.Name, step)
	default:
		err = fault.Wrap(err, fault.PluginUnavailable, "plugin %s failed in %s: %v", g.spec.Name, step, err)
	}
	return v, err
}

func (g *generation) peer() string { return fmt.Sprintf("plugin %s", g.spec.Name) }

// exited is closed when the process has ended.
func (g *generation) exited() <-chan struct{} { return g.link.exited }

// enter counts a call in; it reports false once the generation drains.
func (g *generation) enter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.draining {
		return false
	}
	g.inflight++
	return true
}

// leave counts a call out.
func (g *generation) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.inflight--
	if g.draining && g.inflight == 0 {
		close(g.drained)
	}
}

// drain lets no further call in; the channel is closed when the last has left.
func (g *generation) drain() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.draining {
		g.draining = true
		if g.inflight == 0 {
			close(g.drained)
		}
	}
	return g.drained
}

// giveUp kills the process, for a reason.
func (g *generation) giveUp(cause string) {
	g.mu.Lock()
	if g.cause == "" {
		g.cause = cause
	}
	g.mu.Unlock()
	if p := g.link.process; p != nil {
		p.kill()
		return
	}
	_ = g.link.conn.Close()
}

// retire ends the generation in order: calls in flight finish within drain, Stop,
// end.
func (g *generation) retire(drain time.Duration) {
	timer := time.NewTimer(drain)
	defer timer.Stop()
	select {
	case <-g.drain():
	case <-g.exited():
	case <-timer.C:
		g.logger.Warn("calls did not finish in time; ended with the plugin", "timeout", drain)
	}
	ctx, cancel := context.WithTimeout(context.Background(), g.opts.StopTimeout)
	defer cancel()
	if _, err := g.life.Stop(ctx, &pluginv1.StopRequest{}); err != nil {
		g.logger.Debug("stop failed", "error", wire.FromStatus(err, g.peer()))
	}
	g.close()
}

// close ends the process at once and returns when it is gone.
func (g *generation) close() {
	if g.host != nil {
		g.host.close()
	}
	g.link.close()
	if g.host != nil {
		<-g.host.done
	}
}
