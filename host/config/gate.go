package config

import "strings"

// Gate is the condition under which a tool is offered: always, never, cdp,
// model or env:NAME.
type Gate string

// Gates without a parameter.
const (
	GateAlways Gate = "always"
	GateNever  Gate = "never"
	GateCDP    Gate = "cdp"
	GateModel  Gate = "model"
)

// Env returns the name of the variable of an env:NAME gate.
func (g Gate) Env() (name string, ok bool) { return strings.CutPrefix(string(g), "env:") }

// Gate returns the gate of a tool in a toolset and the path of the key that
// says so, for Config.Position; the path is "" when nothing says so and the
// gate is GateAlways.
func (c *Config) Gate(toolset, tool string) (g Gate, path string) {
	if g, ok := c.Toolsets[toolset].Gates[tool]; ok {
		return g, "toolsets." + toolset + ".gates." + tool
	}
	if g, ok := c.Gates[tool]; ok {
		return g, "gates." + tool
	}
	return GateAlways, ""
}
