package config

// Config is a whole configuration: the built-in defaults with the user's file
// laid over them.
type Config struct {
	// Which browser tasks use and how the host treats its pages.
	Browser Browser `yaml:"browser"`
	// The account of backend browserbase.
	Browserbase Browserbase `yaml:"browserbase"`
	// Plugins by name, each a process of its own. An entry merges with the
	// default of its name; null takes it out.
	Plugins map[string]Plugin `yaml:"plugins"`
	// Named lists of tools, each served at an MCP endpoint of its own. An entry
	// merges with the default of its name; null takes it out.
	Toolsets map[string]Toolset `yaml:"toolsets"`
	// When a tool is offered, by the tool's name: always, never, cdp (the
	// backend has CDP), model (the subagent has a model) or env:NAME (the
	// variable is set). A tool that is not named is always offered.
	Gates map[string]Gate `yaml:"gates" format:"gate"`
	// The tool task: an agent of the host's own that works in the browser.
	Subagent Subagent `yaml:"subagent"`
	// MCP over HTTP.
	Server Server `yaml:"server"`
	// What the host says on stderr.
	Log Log `yaml:"log"`
	// The record of what was done, and by whose decision.
	Audit Audit `yaml:"audit"`
	// Spans for OpenTelemetry.
	Trace Trace `yaml:"trace"`

	origin origin
}

// File is the path of the file that the configuration was read from, and ""
// when it is the built-in default.
func (c *Config) File() string { return c.origin.file }

// Version names the text of the configuration file: equal texts have equal
// versions. It is safe to print.
func (c *Config) Version() string { return c.origin.version }

// Files lists every file that Load read, the configuration file first and then
// those that hold secrets.
func (c *Config) Files() []string { return append([]string(nil), c.origin.source.files...) }
