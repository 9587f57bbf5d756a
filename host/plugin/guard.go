package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"cdphost/host/cdp"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"

	"google.golang.org/grpc/status"
)

// guardTimeout is how long a command waits for one guard.
const guardTimeout = 500 * time.Millisecond

// Facts is what the host has read so far of the place a command would act on.
type Facts struct {
	Epoch      uint64
	SessionID  string
	TargetID   string
	TabID      string
	FrameID    string
	LoaderID   string
	Origin     string
	URL        string
	Title      string
	DialogOpen bool
}

// GuardRequest is what a guard is shown.
type GuardRequest struct {
	Task    supervisor.Key
	Command cdp.Command
	Facts   Facts
	Sender  string
}

// Guard is a plugin that judges commands. It stays valid across restarts and
// swaps of the plugin.
type Guard struct {
	m        *Manager
	name     string
	priority int
	lenient  bool
	timeout  time.Duration
	filter   *guardFilter
}

// Guards returns the guards that a method is to be shown to, in the order in
// which they are asked; nil, at no cost, when there is none.
func (m *Manager) Guards(method string) []*Guard {
	var out []*Guard
	for _, g := range m.table.Load().guards {
		if g.filter.match(method) {
			out = append(out, g)
		}
	}
	return out
}

// Name returns the plugin's name.
func (g *Guard) Name() string { return g.name }

// Compare names the facts whose change between verdict and write makes the
// verdict void.
func (g *Guard) Compare() []string { return g.filter.compare }

// Validate returns the params that the command is to be sent with, nil for those
// that it has, or why it must not be sent: fault.Denied. A guard that can't judge
// denies, unless its configuration says otherwise.
func (g *Guard) Validate(ctx context.Context, req GuardRequest) (json.RawMessage, error) {
	in := &pluginv1.CommandGuardValidateRequest{
		Task: task(req.Task), Command: commandMessage(req.Command), Facts: factsMessage(req.Facts), Sender: req.Sender,
	}
	find := func() (*unit, error) { return g.m.table.Load().unit(g.name, hookGuard) }
	out, err := invoke(ctx, find, invocation{hook: hookGuard, timeout: g.timeout, soft: softHook, again: true},
		func(ctx context.Context, gen *generation) (*pluginv1.CommandGuardValidateResponse, error) {
			out, err := gen.guardHook.Validate(ctx, in)
			if err == nil && ctx.Err() != nil && out.GetDeny() == nil {
				// Whatever it says at its deadline, it was too late to judge.
				return nil, status.FromContextError(ctx.Err()).Err()
			}
			return out, err
		})
	if err != nil {
		return g.failed(ctx, req, err)
	}
	switch v := out.GetVerdict().(type) {
	case *pluginv1.CommandGuardValidateResponse_Allow:
		return nil, nil
	case *pluginv1.CommandGuardValidateResponse_Rewrite:
		if !isObject(v.Rewrite.GetParams()) {
			return g.failed(ctx, req, fault.New(fault.InternalError, "its rewrite is no JSON object"))
		}
		return v.Rewrite.GetParams(), nil
	case *pluginv1.CommandGuardValidateResponse_Deny:
		return nil, fault.New(fault.Denied, "guard %s refused %s: %s", g.name, req.Command.Method, clean(v.Deny.GetReason(), 500)).
			With("guard", g.name)
	default:
		return g.failed(ctx, req, fault.New(fault.InternalError, "it gave no verdict"))
	}
}

// failed decides for a guard that could not.
func (g *Guard) failed(ctx context.Context, req GuardRequest, err error) (json.RawMessage, error) {
	if ctx.Err() != nil {
		return nil, err // the command's own caller gave up
	}
	if errors.Is(err, fault.Denied) {
		return nil, err
	}
	if g.lenient {
		g.m.opts.Logger.Warn("guard could not judge; the command goes on, as configured",
			"plugin", g.name, "method", req.Command.Method, "error", err)
		return nil, nil
	}
	return nil, fault.Wrap(err, fault.Denied, "guard %s could not judge %s, so it was not sent: %v", g.name, req.Command.Method, err).
		With("guard", g.name)
}

func isObject(raw json.RawMessage) bool {
	var o map[string]json.RawMessage
	return json.Unmarshal(raw, &o) == nil && o != nil
}

func commandMessage(c cdp.Command) *pluginv1.Command {
	return &pluginv1.Command{SessionId: c.SessionID, Method: c.Method, Params: c.Params}
}

func commandFrom(c *pluginv1.Command) cdp.Command {
	return cdp.Command{SessionID: c.GetSessionId(), Method: c.GetMethod(), Params: c.GetParams()}
}

func factsMessage(f Facts) *pluginv1.Facts {
	return &pluginv1.Facts{
		Epoch: f.Epoch, SessionId: f.SessionID, TargetId: f.TargetID, TabId: f.TabID, FrameId: f.FrameID,
		LoaderId: f.LoaderID, Origin: f.Origin, Url: f.URL, Title: f.Title, DialogOpen: f.DialogOpen,
	}
}
