// Package browserbase is the dialog-bridge plugin for browsers whose provider
// closes native dialogs: a dialog becomes a synchronous XMLHttpRequest that is
// caught before it reaches the network.
//
// It keeps no state: what is needed to answer a dialog travels with the dialog.
package browserbase

import (
	"context"

	"cdphost/sdk"
)

// Config is the plugin's configuration.
type Config struct {
	// BypassCSP switches the Content-Security-Policy of all pages off, because one
	// that names the hosts a page may connect to blocks the bridge. Without it
	// such pages open native dialogs.
	BypassCSP bool `json:"bypass_csp"`
}

// Serve serves the plugin to the host that started this process.
func Serve() { sdk.Serve(Plugin()) }

// Plugin returns the plugin, for sdk.Serve and sdktest.
func Plugin() *sdk.Plugin {
	return sdk.New(sdk.Info{
		Name:        "bridge-browserbase",
		Version:     "1.0.0",
		Description: "turns alert, confirm and prompt into requests that the host answers",
		Hooks:       []sdk.Hook{sdk.HookDialogBridge},
	}, Config{}, func(_ context.Context, env sdk.Env[Config]) (sdk.Hooks, error) {
		return sdk.Hooks{DialogBridge: bridge{env.Config}}, nil
	})
}

type bridge struct{ config Config }

// Setup implements sdk.DialogBridge.
func (b bridge) Setup() sdk.BridgeSetup {
	return sdk.BridgeSetup{
		InitScripts:   []sdk.InitScript{{Source: overrideScript, RunImmediately: true}},
		FetchPatterns: []sdk.FetchPattern{{URLPattern: origin + "/*"}},
		BypassCSP:     b.config.BypassCSP,
		Claims: []sdk.Claim{{
			Method:    "Fetch.requestPaused",
			URLPrefix: address,
			// The request fails, so that the page calls its native function.
			Release: []sdk.Command{{
				Method: "Fetch.failRequest",
				Params: []byte(`{"requestId":"{{event.requestId}}","errorReason":"ConnectionAborted"}`),
			}},
		}},
	}
}
