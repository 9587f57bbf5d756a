package tool

import (
	"fmt"
	"slices"
	"strings"
)

// Gate is the condition under which a tool is offered. A gate is judged from a
// GateState alone: no I/O.
type Gate string

// The gates. A gate "env:NAME" is open while the environment variable NAME is
// set to something else than "", "0" or "false".
const (
	GateAlways Gate = "always"
	GateNever  Gate = "never"
	// GateCDP is open where a backend with CDP is configured or one of the
	// caller's tasks is attached to an endpoint.
	GateCDP Gate = "cdp"
	// GateModel is open when a model for the task tool is configured.
	GateModel Gate = "model"
)

const envPrefix = "env:"

// ParseGate checks the name of a gate.
func ParseGate(s string) (Gate, error) {
	if name, ok := strings.CutPrefix(s, envPrefix); ok && name != "" && !strings.ContainsAny(name, "= \t") {
		return Gate(s), nil
	}
	if g := Gate(s); slices.Contains([]Gate{GateAlways, GateNever, GateCDP, GateModel}, g) {
		return g, nil
	}
	return "", fmt.Errorf("unknown gate %q: want always, never, cdp, model or env:NAME", s)
}

// GateState is what gates are judged by, for one toolset and caller.
type GateState struct {
	// CDP is true when the configured backend has CDP.
	CDP bool
	// Attached is true when a task of the caller is attached to an endpoint.
	Attached bool
	// Model is true when the task tool has a model and is switched on.
	Model bool
	// ModelReason says why Model is false, as a clause.
	ModelReason string
	// Env looks an environment variable up; nil knows none.
	Env func(name string) (string, bool)
}

// Judge reports whether the gate is open and why, as a clause.
func (g Gate) Judge(s GateState) (open bool, reason string) {
	switch g {
	case GateAlways, "":
		return true, "it is always offered"
	case GateNever:
		return false, "the configuration never offers it"
	case GateCDP:
		switch {
		case s.CDP:
			return true, "the configured backend has CDP"
		case s.Attached:
			return true, "a task is attached to a CDP endpoint"
		}
		return false, "no backend with CDP is configured and no task is attached to an endpoint"
	case GateModel:
		if s.Model {
			return true, "a model is configured"
		}
		if s.ModelReason != "" {
			return false, s.ModelReason
		}
		return false, "no model is configured"
	}
	name := strings.TrimPrefix(string(g), envPrefix)
	if s.Env != nil {
		switch v, _ := s.Env(name); v {
		case "", "0", "false":
		default:
			return true, "the environment variable " + name + " is set"
		}
	}
	return false, "the environment variable " + name + " is not set"
}
