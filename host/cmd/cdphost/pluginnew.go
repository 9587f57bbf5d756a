package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"cdphost/host/scaffold"
	"cdphost/sdk"
	"cdphost/sdk/fault"

	"github.com/spf13/cobra"
)

func pluginNewCommand() *cobra.Command {
	o := scaffold.Options{Source: sdk.Source(), Reserved: slices.Sorted(maps.Keys(builtins))}
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "Write the module of a new plugin",
		Long: `Writes a Go module that builds, passes its own tests and the conformance suite, and is to be changed.
The SDK's source is written beside it, so that nothing needs to be published first.

Hooks: ` + strings.Join(scaffold.Hooks(), ", ") + ".",
		Example: "  cdphost plugin new my-guard --hook command-guard --dir ./my-guard",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Name = args[0]
			if o.Dir == "" {
				o.Dir = o.Name
			}
			if err := scaffold.Write(o); err != nil {
				if fault.CodeOf(err) == fault.InvalidArgument {
					return usageError{err}
				}
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), `%[2]s holds the plugin %[1]s, a %[3]s. Next:

  cd %[2]s
  go test ./...
  go build -o %[1]s .
  cdphost plugin check ./%[1]s

Then put what %[4]s shows into the host's configuration.
`, o.Name, o.Dir, o.Hook, filepath.Join(o.Dir, "config.yaml"))
			return nil
		},
	}
	cmd.Flags().StringVar(&o.Hook, "hook", "", "the `HOOK` that it plays")
	cmd.Flags().StringVar(&o.Dir, "dir", "", "the module's `DIR`, new or empty (default: NAME)")
	cmd.Flags().StringVar(&o.SDK, "sdk", "", "use the SDK in `DIR` instead of writing its source")
	return cmd
}
