// Package debugger is the dialog-bridge plugin that holds a page by a pause of
// the debugger: while a dialog is open, the page can still be read.
//
// It keeps no state: what is needed to answer a dialog travels with the dialog.
package debugger

import (
	"context"

	"cdphost/sdk"
)

// Config is the plugin's configuration; it has no keys.
type Config struct{}

// Serve serves the plugin to the host that started this process.
func Serve() { sdk.Serve(Plugin()) }

// Plugin returns the plugin, for sdk.Serve and sdktest.
func Plugin() *sdk.Plugin {
	return sdk.New(sdk.Info{
		Name:        "bridge-debugger",
		Version:     "1.0.0",
		Description: "turns alert, confirm and prompt into pauses of the debugger, which leave the page readable",
		Hooks:       []sdk.Hook{sdk.HookDialogBridge},
	}, Config{}, func(context.Context, sdk.Env[Config]) (sdk.Hooks, error) {
		return sdk.Hooks{DialogBridge: bridge{}}, nil
	})
}

type bridge struct{}

// Setup implements sdk.DialogBridge.
func (bridge) Setup() sdk.BridgeSetup { return setup }
