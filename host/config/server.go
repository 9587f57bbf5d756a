package config

import "time"

// Server is MCP over HTTP.
type Server struct {
	// Address and port. Beyond loopback every toolset needs a token.
	Listen string `yaml:"listen" format:"listen" needed:"true"`
	// The toolset served at /mcp.
	DefaultToolset string `yaml:"default_toolset" format:"name" needed:"true"`
	// Minutes without a call after which a task is ended. 0: never.
	IdleTask time.Duration `yaml:"idle_task_minutes" unit:"m" min:"0" max:"525600"`
	// The bearer token of toolsets that have none of their own.
	Token Secret `yaml:"token"`
	// A file that holds the bearer token, relative to this file.
	TokenFile string `yaml:"token_file" secret:"token"`
	// Origins of web pages that may call: scheme://host[:port]. None unless
	// named.
	AllowedOrigins []string `yaml:"allowed_origins" format:"origin"`
	// Host names, beside the address it listens on, under which it may be
	// called.
	AllowedHosts []string `yaml:"allowed_hosts" format:"host"`
	// Serve Prometheus metrics at /metrics: to whoever has the token of this
	// section, and where it has none to this machine only.
	Metrics bool `yaml:"metrics"`
}
