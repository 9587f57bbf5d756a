package plugin

import (
	"fmt"
	"strings"

	"cdphost/sdk/fault"
	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
)

// ConfigError lists what a plugin finds wrong with its configuration. It is a
// fault.ConfigInvalid.
type ConfigError struct {
	// Plugin is the name in the configuration.
	Plugin   string
	Problems []Problem
}

// Problem is one thing that is wrong.
type Problem struct {
	// Path is the key below plugins.NAME.config, as in "rules[2].do"; "" is all of
	// it.
	Path    string
	Message string
	// Allowed lists the right values, when they can be listed.
	Allowed []string
}

// Error returns one line for each problem.
func (e *ConfigError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		path := "plugins." + e.Plugin + ".config"
		if p.Path != "" {
			path += "." + p.Path
		}
		lines[i] = fmt.Sprintf("%s: %s", path, p)
	}
	return strings.Join(lines, "\n")
}

// Is reports whether target is fault.ConfigInvalid.
func (e *ConfigError) Is(target error) bool { return target == error(fault.ConfigInvalid) }

// String returns the message with the allowed values.
func (p Problem) String() string {
	if len(p.Allowed) == 0 {
		return p.Message
	}
	return fmt.Sprintf("%s (allowed: %s)", p.Message, strings.Join(p.Allowed, ", "))
}

// configError returns nil when there are no problems.
func configError(plugin string, in []*pluginv1.ConfigProblem) error {
	if len(in) == 0 {
		return nil
	}
	e := &ConfigError{Plugin: plugin}
	for _, p := range in[:min(len(in), 50)] {
		problem := Problem{Path: clean(p.GetPath(), 200), Message: clean(p.GetMessage(), 500)}
		for _, a := range p.GetAllowed()[:min(len(p.GetAllowed()), 100)] {
			problem.Allowed = append(problem.Allowed, clean(a, 100))
		}
		e.Problems = append(e.Problems, problem)
	}
	return e
}
