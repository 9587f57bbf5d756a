package capture

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// Command is one CDP command as validators see it.
type Command struct {
	SessionID string
	Method    string
	Params    json.RawMessage
}

// Guard validates the commands of everybody whose method its patterns name. Its
// methods may be called at once.
type Guard interface {
	Validate(ctx context.Context, req GuardRequest) (GuardVerdict, error)
}

// GuardRequest is what a Guard is shown.
type GuardRequest struct {
	Task    supervisor.Key
	Sender  string
	Command Command
	Facts   Facts
}

// GuardVerdict is a Guard's answer; the zero value allows.
type GuardVerdict struct {
	Deny   bool
	Reason string
	// Params, when not nil, replace the command's.
	Params json.RawMessage
}

// GuardEntry is a guard with its place in the order and its terms.
type GuardEntry struct {
	Name     string
	Priority int // ascending; equal ones by name
	Methods  []string
	// Compare are the fields that must not change between verdict and write; nil
	// is DefaultFields.
	Compare []Field
	// Timeout bounds one question (500 ms by default).
	Timeout time.Duration
	// FailOpen allows what the guard could not judge. Without it a guard that is
	// slow, dead or broken refuses.
	FailOpen bool
	Guard    Guard
}

// DefaultGuardTimeout is how long a validator may take: longer than any judgement
// by facts needs, shorter than a person notices.
const DefaultGuardTimeout = 500 * time.Millisecond

// SetGuards replaces all guards. Calls on their way keep those they started with.
func (m *Manager) SetGuards(guards []GuardEntry) {
	list := slices.Clone(guards)
	slices.SortFunc(list, func(a, b GuardEntry) int {
		return cmp.Or(cmp.Compare(a.Priority, b.Priority), cmp.Compare(a.Name, b.Name))
	})
	for i := range list {
		if len(list[i].Compare) == 0 {
			list[i].Compare = DefaultFields
		}
		if list[i].Timeout <= 0 {
			list[i].Timeout = DefaultGuardTimeout
		}
	}
	m.guards.Store(&list)
}

// guardsFor returns the guards of a method, nil without allocating when there
// are none.
func (m *Manager) guardsFor(method string) []GuardEntry {
	list := m.guards.Load()
	if list == nil {
		return nil
	}
	var out []GuardEntry
	for _, g := range *list {
		if matchAny(g.Methods, method) {
			out = append(out, g)
		}
	}
	return out
}

type inValidator struct{}

// InValidator reports whether ctx comes from a validator that is being asked.
func InValidator(ctx context.Context) bool { return ctx.Value(inValidator{}) != nil }

// ask puts one command to one guard. An error refuses the command.
func (g *GuardEntry) ask(ctx context.Context, req GuardRequest) (json.RawMessage, error) {
	asked, cancel := context.WithTimeout(context.WithValue(ctx, inValidator{}, true), g.Timeout)
	defer cancel()
	v, err := g.Guard.Validate(asked, req)
	switch {
	case err != nil && ctx.Err() != nil: // the caller has gone, or its time is up
		return nil, ctx.Err()
	case err != nil && g.FailOpen:
		return nil, nil
	case err != nil && errors.Is(err, context.DeadlineExceeded):
		return nil, fault.Wrap(err, fault.Denied, "%s was not sent: the guard %s did not answer within %s", req.Command.Method, g.Name, g.Timeout).With("guard", g.Name)
	case err != nil:
		return nil, fault.Wrap(err, fault.Denied, "%s was not sent: the guard %s failed (%v)", req.Command.Method, g.Name, err).With("guard", g.Name)
	case v.Deny:
		return nil, fault.New(fault.Denied, "%s was denied by the guard %s: %s", req.Command.Method, g.Name, v.Reason).With("guard", g.Name).With("reason", v.Reason)
	}
	return v.Params, nil
}
