// Package frames is the default frame-router plugin: a command for an
// out-of-process iframe runs on that frame's session, one for a frame that shares
// its parent's process is refused with the alternative named, or, when so
// configured, a Runtime.evaluate runs in the frame's own execution context.
//
// It never sends a command for one frame to another.
package frames

import (
	"context"

	"cdphost/sdk"
)

// Serve serves the plugin to the host that started this process.
func Serve() { sdk.Serve(Plugin()) }

// Plugin returns the plugin, for sdk.Serve and sdktest.
func Plugin() *sdk.Plugin {
	return sdk.New(sdk.Info{
		Name:        "frames",
		Version:     "1.0.0",
		Description: "routes browser_cdp(frame_id) to the session or context of that frame",
		Hooks:       []sdk.Hook{sdk.HookFrameRouter},
	}, Config{SameProcess: SameProcessError}, func(_ context.Context, env sdk.Env[Config]) (sdk.Hooks, error) {
		return sdk.Hooks{FrameRouter: router{env.Config}}, nil
	})
}

// What is done with a frame that lives in its parent's process.
const (
	// SameProcessError refuses.
	SameProcessError = "error"
	// SameProcessEvaluate lets Runtime.evaluate run in the frame's own context.
	SameProcessEvaluate = "evaluate"
)

// Config is the plugin's configuration.
type Config struct {
	// SameProcess is error or evaluate.
	SameProcess string `json:"same_process"`
}

// Validate implements the SDK's check of a configuration.
func (c *Config) Validate() error {
	return sdk.OneOf("same_process", c.SameProcess, SameProcessError, SameProcessEvaluate)
}
