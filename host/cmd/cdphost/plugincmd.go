package main

import (
	"maps"
	"slices"
	"strings"

	browserbasebridge "cdphost/plugins/bridge-browserbase"
	debuggerbridge "cdphost/plugins/bridge-debugger"
	dialogplugin "cdphost/plugins/dialog"
	framesplugin "cdphost/plugins/frames"
	"cdphost/sdk/fault"

	"github.com/spf13/cobra"
)

// builtins are the plugins that this binary can serve as a child process.
var builtins = map[string]func(){
	"dialog":             dialogplugin.Serve,
	"frames":             framesplugin.Serve,
	"bridge-browserbase": browserbasebridge.Serve,
	"bridge-debugger":    debuggerbridge.Serve,
}

func pluginCommand(file *string) *cobra.Command {
	cmd := &cobra.Command{Use: "plugin", Short: "Work with plugins", Args: cobra.NoArgs}
	cmd.AddCommand(&cobra.Command{
		Use:    "serve NAME",
		Short:  "Serve a built-in plugin to the host that started this process",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			serve, ok := builtins[args[0]]
			if !ok {
				names := slices.Sorted(maps.Keys(builtins))
				return usageError{fault.New(fault.InvalidArgument, "there is no built-in plugin %q; there are: %s", args[0], strings.Join(names, ", "))}
			}
			serve()
			return nil
		},
	})
	cmd.AddCommand(pluginNewCommand(), pluginCheckCommand(file), pluginDebugCommand())
	return cmd
}
