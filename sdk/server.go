package sdk

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/go-hclog"
	"google.golang.org/grpc"

	"cdphost/sdk/fault"
	"cdphost/sdk/internal/inproc"
	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
)

func init() {
	inproc.Register = func(p any, s grpc.ServiceRegistrar, l hclog.Logger, dial inproc.DialHost) error {
		plugin, ok := p.(*Plugin)
		if !ok {
			return fmt.Errorf("sdk: %T is not a *sdk.Plugin", p)
		}
		register(plugin, s, l, dial)
		return nil
	}
}

// register puts p's services on s.
func register(p *Plugin, s grpc.ServiceRegistrar, logger hclog.Logger, dial inproc.DialHost) *server {
	srv := &server{plugin: p, logger: logger, dial: dial}
	pluginv1.RegisterPluginServer(s, srv)
	for _, h := range p.info.Hooks {
		switch h {
		case HookDialogPolicy:
			pluginv1.RegisterDialogPolicyServer(s, dialogPolicyServer{srv: srv})
		case HookFrameRouter:
			pluginv1.RegisterFrameRouterServer(s, frameRouterServer{srv: srv})
		case HookDialogBridge:
			pluginv1.RegisterDialogBridgeServer(s, dialogBridgeServer{srv: srv})
		case HookCommandGuard:
			pluginv1.RegisterCommandGuardServer(s, commandGuardServer{srv: srv})
		case HookToolProvider:
			pluginv1.RegisterToolProviderServer(s, toolProviderServer{srv: srv})
		case HookEventSubscriber:
			pluginv1.RegisterEventSubscriberServer(s, eventSubscriberServer{srv: srv})
		}
	}
	return srv
}

// server serves the life cycle of a plugin.
type server struct {
	pluginv1.UnimplementedPluginServer
	plugin *Plugin
	logger hclog.Logger
	dial   inproc.DialHost

	configuring sync.Mutex
	hooks       atomic.Pointer[Hooks]
	host        *Host
	stopOnce    sync.Once
	toolCalls   atomic.Int32 // that run
}

// configured returns the hooks, or an error before Configure.
func (s *server) configured() (*Hooks, error) {
	h := s.hooks.Load()
	if h == nil {
		return nil, fault.New(fault.PluginUnavailable, "plugin %s is not configured", s.plugin.info.Name)
	}
	return h, nil
}

var hookNames = map[Hook]pluginv1.Hook{
	HookDialogPolicy:    pluginv1.Hook_HOOK_DIALOG_POLICY,
	HookFrameRouter:     pluginv1.Hook_HOOK_FRAME_ROUTER,
	HookDialogBridge:    pluginv1.Hook_HOOK_DIALOG_BRIDGE,
	HookCommandGuard:    pluginv1.Hook_HOOK_COMMAND_GUARD,
	HookToolProvider:    pluginv1.Hook_HOOK_TOOL_PROVIDER,
	HookEventSubscriber: pluginv1.Hook_HOOK_EVENT_SUBSCRIBER,
}

// Describe implements pluginv1.PluginServer.
func (s *server) Describe(context.Context, *pluginv1.DescribeRequest) (*pluginv1.DescribeResponse, error) {
	info := s.plugin.info
	out := &pluginv1.DescribeResponse{
		Name: info.Name, Version: info.Version, Description: info.Description,
		Policies: info.Policies, DefaultConfig: s.plugin.defaults,
	}
	for _, h := range info.Hooks {
		out.Hooks = append(out.Hooks, hookNames[h])
	}
	return out, nil
}

// Validate implements pluginv1.PluginServer.
func (s *server) Validate(_ context.Context, req *pluginv1.ValidateRequest) (*pluginv1.ValidateResponse, error) {
	return &pluginv1.ValidateResponse{Problems: problems(s.plugin.validate(req.GetConfig()))}, nil
}

// Configure implements pluginv1.PluginServer.
func (s *server) Configure(ctx context.Context, req *pluginv1.ConfigureRequest) (*pluginv1.ConfigureResponse, error) {
	s.configuring.Lock()
	defer s.configuring.Unlock()
	if s.hooks.Load() != nil {
		return nil, fault.New(fault.InvalidArgument, "plugin %s is configured already, and serves one host at a time", s.plugin.info.Name)
	}
	if err := s.plugin.validate(req.GetConfig()); err != nil {
		return &pluginv1.ConfigureResponse{Problems: problems(err)}, nil
	}
	if err := s.dialHost(ctx, req.GetHostBrokerId()); err != nil {
		return nil, err
	}
	hooks, err := s.plugin.start(ctx, req.GetConfig(), Env[json.RawMessage]{
		Host: s.host, Logger: s.logger, Instance: req.GetInstance(), Generation: req.GetGeneration(),
	})
	if err != nil {
		return &pluginv1.ConfigureResponse{Problems: problems(err)}, nil
	}
	if missing := hooks.missing(s.plugin.info.Hooks); len(missing) > 0 {
		return nil, fault.New(fault.InternalError, "plugin %s declares %s but returned no implementation",
			s.plugin.info.Name, strings.Join(missing, ", "))
	}
	resp := hooks.wants()
	s.hooks.Store(&hooks)
	return resp, nil
}

// dialHost connects to the host's own service.
func (s *server) dialHost(ctx context.Context, id uint32) error {
	s.host = &Host{}
	if id == 0 {
		return nil
	}
	conn, err := s.dial(ctx, id)
	if err != nil {
		return fault.Wrap(err, fault.PluginUnavailable, "the host's own service can't be reached: %v", err)
	}
	s.host = newHost(conn)
	return nil
}

// Health implements pluginv1.PluginServer.
func (s *server) Health(ctx context.Context, _ *pluginv1.HealthRequest) (*pluginv1.HealthResponse, error) {
	problem := s.health(ctx)
	out := &pluginv1.HealthResponse{Ok: problem == nil, ToolCalls: uint32(s.toolCalls.Load())}
	if problem != nil {
		out.Message = problem.Error()
	}
	return out, nil
}

func (s *server) health(ctx context.Context) error {
	h, err := s.configured()
	if err != nil || h.Health == nil {
		return err
	}
	return h.Health(ctx)
}

// Stop implements pluginv1.PluginServer.
func (s *server) Stop(ctx context.Context, _ *pluginv1.StopRequest) (*pluginv1.StopResponse, error) {
	var err error
	s.stopOnce.Do(func() {
		if h := s.hooks.Load(); h != nil && h.Stop != nil {
			err = h.Stop(ctx)
		}
		s.configuring.Lock()
		defer s.configuring.Unlock()
		if s.host != nil {
			s.host.close()
		}
	})
	return &pluginv1.StopResponse{}, err
}

func problems(err error) []*pluginv1.ConfigProblem {
	var out []*pluginv1.ConfigProblem
	for _, e := range configErrors(err) {
		out = append(out, &pluginv1.ConfigProblem{Path: e.Path, Message: e.Message, Allowed: e.Allowed})
	}
	return out
}

// missing lists declared hooks without an implementation.
func (h *Hooks) missing(declared []Hook) []string {
	have := map[Hook]bool{
		HookDialogPolicy:    h.DialogPolicy != nil,
		HookFrameRouter:     h.FrameRouter != nil,
		HookDialogBridge:    h.DialogBridge != nil,
		HookCommandGuard:    h.CommandGuard != nil,
		HookToolProvider:    h.ToolProvider != nil,
		HookEventSubscriber: h.EventSubscriber != nil,
	}
	var out []string
	for _, d := range declared {
		if !have[d] {
			out = append(out, string(d))
		}
	}
	return out
}

// wants collects what the hooks declare at configuration.
func (h *Hooks) wants() *pluginv1.ConfigureResponse {
	out := &pluginv1.ConfigureResponse{}
	if h.CommandGuard != nil {
		f := h.CommandGuard.Filter()
		out.Guard = &pluginv1.GuardFilter{Methods: f.Methods, Compare: f.Compare}
	}
	if h.DialogBridge != nil {
		out.Bridge = h.DialogBridge.Setup().wire()
	}
	if h.EventSubscriber != nil {
		out.Events = &pluginv1.EventFilter{Methods: h.EventSubscriber.Events()}
	}
	return out
}
