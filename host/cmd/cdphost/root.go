package main

import (
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is the release; builds from a source tree say so.
var version = "0.1.0-dev"

func rootCommand() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "cdphost",
		Short: "A browser host for AI agents",
		Long: `cdphost owns the browser's DevTools connection, keeps dialogs from freezing your agent, reaches
into cross-origin iframes, and lets plugins decide. Agents reach it over MCP.

Start with:
  cdphost demo                 see it all work, in 20 seconds
  cdphost mcp                  one MCP client over stdio
  cdphost serve                many MCP clients over HTTP`,
		Version:       version + buildRevision(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
	}
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	cmd.PersistentFlags().StringVar(&file, "config", "", "configuration `FILE` (default: ./config.yaml, the user's, the built-in one)")
	cmd.AddCommand(
		serveCommand(&file), mcpCommand(&file), demoCommand(),
		configCommand(&file), reloadCommand(), pluginsCommand(), pluginCommand(&file),
		tasksCommand(), taskCommand(), dialogsCommand(), dialogCommand(), callCommand(), browserCommand(), explainCommand(&file), doctorCommand(&file),
	)
	for _, c := range cmd.Commands() {
		checkArgs(c)
	}
	return cmd
}

// checkArgs makes wrong arguments usage errors, for exit code 2.
func checkArgs(c *cobra.Command) {
	if check := c.Args; check != nil {
		c.Args = func(c *cobra.Command, args []string) error {
			if err := check(c, args); err != nil {
				return usageError{err}
			}
			return nil
		}
	}
	for _, sub := range c.Commands() {
		checkArgs(sub)
	}
}

func buildRevision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return " (" + s.Value[:12] + ")"
		}
	}
	return ""
}
