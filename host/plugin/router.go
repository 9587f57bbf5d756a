package plugin

import (
	"cmp"
	"context"
	"errors"
	"time"

	"cdphost/host/capture"
	"cdphost/sdk/fault"
	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
)

// routerTimeout is how long an agent's call waits for its route.
const routerTimeout = 2 * time.Second

// Router returns the frame router that the plugin of a name is. When it can't be
// asked, calls fail with fault.RouterUnavailable.
func (m *Manager) Router(name string) capture.Router { return routerClient{m: m, name: name} }

type routerClient struct {
	m    *Manager
	name string
}

// Route implements capture.Router.
func (c routerClient) Route(ctx context.Context, req capture.RouteRequest) (capture.Route, error) {
	f := req.Frame
	in := &pluginv1.RouteRequest{
		Task: task(req.Task),
		Frame: &pluginv1.Frame{
			Id: f.ID, ParentId: f.ParentID, Url: f.URL, Origin: f.Origin, LoaderId: f.LoaderID, Name: f.Name,
			Oopif: f.OOPIF, Top: f.Top,
		},
		OwnSession: req.OwnSession, ProcessSession: req.ProcessSession, UniqueContextId: req.UniqueContextID,
		Method: req.Method, Params: req.Params,
	}
	find := func() (*unit, error) { return c.m.table.Load().unit(c.name, hookRouter) }
	out, err := invoke(ctx, find, invocation{hook: hookRouter, timeout: c.m.timeout(c.name, routerTimeout), soft: softHook, again: true},
		func(ctx context.Context, g *generation) (*pluginv1.RouteResponse, error) {
			return g.router.Route(ctx, in)
		})
	switch {
	case err == nil:
		return capture.Route{SessionID: out.GetSessionId(), UniqueContextID: out.GetUniqueContextId()}, nil
	case ctx.Err() != nil:
		return capture.Route{}, err
	case errors.Is(err, fault.PluginUnavailable), errors.Is(err, fault.Timeout), errors.Is(err, fault.InternalError),
		errors.Is(err, fault.Unsupported), errors.Is(err, fault.ReplyTooBig):
		return capture.Route{}, fault.Wrap(err, fault.RouterUnavailable,
			"the frame router can't be asked (%v); nothing was sent, try again", err)
	}
	return capture.Route{}, err
}

// timeout returns how long one call of a plugin's hook may take.
func (m *Manager) timeout(name string, hook time.Duration) time.Duration {
	if u := m.table.Load().units[name]; u != nil {
		return cmp.Or(u.spec.Timeout, hook)
	}
	return hook
}
