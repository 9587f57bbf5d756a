package sdk

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/go-hclog"
)

// Hook is a role that a plugin plays.
type Hook string

// The hooks. A plugin may have several.
const (
	HookDialogPolicy    Hook = "dialog-policy"
	HookFrameRouter     Hook = "frame-router"
	HookDialogBridge    Hook = "dialog-bridge"
	HookCommandGuard    Hook = "command-guard"
	HookToolProvider    Hook = "tool-provider"
	HookEventSubscriber Hook = "event-subscriber"
)

// Info is what a plugin says of itself before it is configured.
type Info struct {
	// Name is used in logs; config.yaml names a plugin as it likes.
	Name string
	// Version is shown to operators, as in "1.2.0".
	Version     string
	Description string
	// Hooks are the roles that the plugin will play; its start function must
	// return one implementation for each.
	Hooks []Hook
	// Policies are the names that browser.dialog_policy may use for this plugin.
	// Required with HookDialogPolicy.
	Policies []string
}

// Env is what a plugin gets to work with.
type Env[C any] struct {
	// Config is the configuration, defaults filled in, validated.
	Config C
	// Host reaches the browser. It is safe for concurrent use.
	Host *Host
	// Logger writes to the host's log under the plugin's name.
	Logger hclog.Logger
	// Instance is the plugin's name in config.yaml.
	Instance string
	// Generation counts the starts of this plugin within one host, from 1.
	Generation uint64
}

// Hooks are the implementations that a start function returns.
type Hooks struct {
	DialogPolicy    DialogPolicy
	FrameRouter     FrameRouter
	DialogBridge    DialogBridge
	CommandGuard    CommandGuard
	ToolProvider    ToolProvider
	EventSubscriber EventSubscriber

	// Health, when not nil, says whether the plugin can do its work; it must
	// answer at once. An error makes the host restart the plugin.
	Health func(context.Context) error
	// Stop, when not nil, is called once before the process ends, with a few
	// seconds to write out what is buffered.
	Stop func(context.Context) error
}

// Plugin is what Serve serves. New makes one.
type Plugin struct {
	info     Info
	defaults json.RawMessage
	validate func(config []byte) error
	start    func(ctx context.Context, config []byte, env Env[json.RawMessage]) (Hooks, error)
}

// Info returns what the plugin says of itself.
func (p *Plugin) Info() Info { return p.info }

// New makes a plugin whose configuration is a C. The keys of config.yaml are the
// json tags of C; a key that is left out has its value in defaults; unknown keys
// and wrong types are refused with their line. When C or *C has a method
// Validate() error, it is called with everything filled in and may return
// *ConfigError values (several joined with errors.Join).
//
// start is called once, before any hook. Its context ends when the host gives up
// waiting; what start makes lives until the process ends.
func New[C any](info Info, defaults C, start func(ctx context.Context, env Env[C]) (Hooks, error)) *Plugin {
	encoded, err := json.Marshal(defaults)
	if err != nil {
		encoded = nil
	}
	return &Plugin{
		info:     info,
		defaults: encoded,
		validate: func(data []byte) error {
			_, err := decodeConfig(data, encoded, defaults)
			return err
		},
		start: func(ctx context.Context, data []byte, env Env[json.RawMessage]) (Hooks, error) {
			config, err := decodeConfig(data, encoded, defaults)
			if err != nil {
				return Hooks{}, err
			}
			return start(ctx, Env[C]{
				Config: config, Host: env.Host, Logger: env.Logger,
				Instance: env.Instance, Generation: env.Generation,
			})
		},
	}
}
