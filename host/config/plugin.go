package config

import "time"

// Plugin is one plugin process. Exactly one of Builtin and Path is set.
type Plugin struct {
	// The entry's name.
	Name string `yaml:"-"`
	// A plugin that the host's own program serves.
	Builtin Builtin `yaml:"builtin"`
	// A plugin's program, relative to this file.
	Path string `yaml:"path" format:"path"`
	// SHA-256 of the program at path in hexadecimal, checked before each start.
	// Empty: not checked.
	SHA256 string `yaml:"sha256" format:"sha256"`
	// Guards, and those who intercept the same request, are asked in ascending order
	// of it, then by name.
	Priority int `yaml:"priority" min:"-1000000" max:"1000000"`
	// What happens to commands while the guard can't answer.
	OnFailure OnFailure `yaml:"on_failure"`
	// Milliseconds for one call of the plugin. Left out: what the hook has (500
	// for a guard, 1000 for a dialog policy, 2000 for a bridge).
	Timeout time.Duration `yaml:"timeout_ms" unit:"ms" min:">0" max:"60000"`
	// Names of environment variables that the plugin gets.
	Env []string `yaml:"env" format:"env"`
	// Encrypt the connection between host and plugin.
	MTLS bool `yaml:"mtls"`
	// What the plugin may reach. Built-in plugins reach all they need; others
	// nothing that is not named.
	Grants Grants `yaml:"grants"`
	// The plugin's own configuration; its keys are in the plugin's documentation.
	Config *Tree `yaml:"config"`
}

func (p *Plugin) setDefaults(name string) {
	p.Name = name
	p.Priority = 50
	p.OnFailure = Deny
}

// Grants bounds what a plugin may reach through the host.
type Grants struct {
	// Toolsets whose tasks it may see.
	Toolsets []string `yaml:"toolsets" format:"name"`
	// CDP methods it may call: Domain.method, Domain.* or *.
	Methods []string `yaml:"methods" format:"method"`
	// Events it may subscribe to: Domain.event, Domain.* or *.
	Events []string `yaml:"events" format:"method"`
}

// Builtin is a plugin that the host's own program serves.
type Builtin string

// Built-in plugins.
const (
	BuiltinDialog            Builtin = "dialog"
	BuiltinFrames            Builtin = "frames"
	BuiltinBridgeBrowserbase Builtin = "bridge-browserbase"
	BuiltinBridgeDebugger    Builtin = "bridge-debugger"
)

func (Builtin) values() []string {
	return enumValues(BuiltinDialog, BuiltinFrames, BuiltinBridgeBrowserbase, BuiltinBridgeDebugger)
}

// OnFailure is what happens to commands while their guard can't answer.
type OnFailure string

// Failure modes of a guard.
const (
	Deny  OnFailure = "deny"
	Allow OnFailure = "allow"
)

func (OnFailure) values() []string { return enumValues(Deny, Allow) }
