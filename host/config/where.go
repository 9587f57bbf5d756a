package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Position returns where the value at a path such as toolsets.core.tools[2]
// stands, in the user's file or in the built-in one. Paths may lead into a
// plugin's own configuration (plugins.dialog.config.rules[0].do). A path that
// does not exist gets the place of the nearest value above it.
func (c *Config) Position(path string) Position {
	if name, inside, ok := cutPluginPath(path); ok {
		if p := c.Plugins[name].Config.Position(inside); p.IsValid() {
			return p
		}
	}
	for at := path; at != ""; at = parent(at) {
		if p, ok := c.origin.places[at]; ok {
			return p.value
		}
	}
	return Position{File: c.fileName()}
}

// ErrorAt returns an Error at the place of a path. Where the value is built in,
// because the user's file leaves it out, it names the user's file as a whole.
func (c *Config) ErrorAt(path, format string, args ...any) *Error {
	e := &Error{Pos: c.Position(path), Path: path, Problem: fmt.Sprintf(format, args...)}
	if e.Pos.File == BuiltinName && c.origin.file != "" {
		e.Pos = Position{File: c.origin.file}
		e.Problem += " (the default)"
	}
	return e
}

// PluginError returns an Error for what a plugin says of its own configuration:
// keyPath is relative to it, such as rules[0].do, and "" is the whole.
func (c *Config) PluginError(plugin, keyPath, problem string) *Error {
	path := "plugins." + plugin + ".config"
	if keyPath != "" && keyPath[0] != '[' {
		path += "."
	}
	return c.ErrorAt(path+keyPath, "%s", problem)
}

// Unset lists the variables that the configuration names and the environment
// does not have, by the path of the key.
func (c *Config) Unset() []UnsetEnv {
	out := make([]UnsetEnv, 0, len(c.origin.unset))
	for _, path := range slices.Sorted(maps.Keys(c.origin.unset)) {
		out = append(out, c.origin.unset[path])
	}
	return out
}

// UnsetAt returns the unset variable that the value at path names, so that who
// needs the value can say why it is empty.
func (c *Config) UnsetAt(path string) (UnsetEnv, bool) {
	u, ok := c.origin.unset[path]
	return u, ok
}

func (c *Config) fileName() string {
	if c.origin.file == "" {
		return BuiltinName
	}
	return c.origin.file
}

// parent takes the last key or index off a path.
func parent(path string) string {
	return path[:max(strings.LastIndexAny(path, ".["), 0)]
}

// cutPluginPath splits plugins.NAME.config.INSIDE.
func cutPluginPath(path string) (name, inside string, ok bool) {
	rest, ok := strings.CutPrefix(path, "plugins.")
	if !ok {
		return "", "", false
	}
	name, rest, _ = strings.Cut(rest, ".")
	inside, ok = strings.CutPrefix(rest, "config")
	if !ok || inside != "" && inside[0] != '.' && inside[0] != '[' {
		return "", "", false
	}
	return name, strings.TrimPrefix(inside, "."), true
}
