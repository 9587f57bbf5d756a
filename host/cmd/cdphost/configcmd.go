package main

import (
	"fmt"

	"cdphost/host/config"
	"cdphost/host/plugin"

	"github.com/hashicorp/go-hclog"
	"github.com/spf13/cobra"
)

func configCommand(file *string) *cobra.Command {
	cmd := &cobra.Command{Use: "config", Short: "Work with the configuration", Args: cobra.NoArgs}
	cmd.AddCommand(&cobra.Command{
		Use:   "check [FILE]",
		Short: "Check a configuration without running it",
		Long: `Checks the file alone, then asks the plugins it names whether their parts are right.
Every mistake is told with file, line and column, and the allowed values.`,
		Example: "  cdphost config check\n  cdphost config check ./config.yaml",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := *file
			if len(args) == 1 {
				name = args[0]
			}
			return checkConfig(cmd, name)
		},
	})
	return cmd
}

func checkConfig(cmd *cobra.Command, name string) error {
	cfg, err := config.Load(name)
	if err != nil {
		return err
	}
	m, err := plugin.New(plugin.Options{Logger: hclog.NewNullLogger()})
	if err != nil {
		return err
	}
	defer m.Close() //nolint:errcheck // nothing runs in it
	descriptions, err := m.Check(cmd.Context(), pluginSpecs(cfg))
	if err != nil {
		return explainPlugin(cfg, err)
	}
	if err := checkDescribed(cfg, descriptions); err != nil {
		return err
	}
	for _, u := range cfg.Unset() {
		fmt.Fprintf(cmd.ErrOrStderr(), "note: %s\n", u)
	}
	shown := cfg.File()
	if shown == "" {
		shown = config.BuiltinName
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s is valid\n", shown)
	return nil
}
