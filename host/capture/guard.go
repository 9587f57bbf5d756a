package capture

import (
	"context"
	"encoding/json"

	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// Command is one CDP command as validators see it.
type Command struct {
	SessionID string
	Method    string
	Params    json.RawMessage
}

// Guard validates the commands of everybody whose method it declared. Its methods
// may be called at once.
type Guard interface {
	Name() string
	// Compare names the facts that must not change between verdict and write; none
	// is DefaultFields.
	Compare() []Field
	// Validate returns the params to send instead, nil for the command's own, or
	// why the command must not be sent. It has a deadline of its own, and itself
	// decides whether a guard that can't judge refuses.
	Validate(ctx context.Context, req GuardRequest) (json.RawMessage, error)
}

// GuardRequest is what a Guard is shown.
type GuardRequest struct {
	Task    supervisor.Key
	Sender  string
	Command Command
	Facts   Facts
}

// GuardSource returns the guards of a method in the order in which they are
// asked; nil, at no cost, when there is none.
type GuardSource func(method string) []Guard

// SetGuards sets where guards come from. Calls on their way keep those that they
// started with.
func (m *Manager) SetGuards(s GuardSource) { m.guards.Store(&s) }

func (m *Manager) guardsFor(method string) []Guard {
	if s := m.guards.Load(); s != nil && *s != nil {
		return (*s)(method)
	}
	return nil
}

type inValidator struct{}

// InValidator reports whether ctx comes from a validator that is being asked.
func InValidator(ctx context.Context) bool { return ctx.Value(inValidator{}) != nil }

// ask puts one command to one guard. An error refuses the command.
func ask(ctx context.Context, g Guard, req GuardRequest) (json.RawMessage, error) {
	params, err := g.Validate(context.WithValue(ctx, inValidator{}, true), req)
	if err == nil {
		return params, nil
	}
	if ctx.Err() != nil { // the caller has gone, or its time is up
		return nil, fault.Wrap(ctx.Err(), fault.NotSent, "%s was not sent: its caller gave up while the guard %s was asked", req.Command.Method, g.Name())
	}
	return nil, err
}
