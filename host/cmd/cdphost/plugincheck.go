package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cdphost/host/config"
	"cdphost/host/plugin"
	"cdphost/sdk/conformance/suite"
	"cdphost/sdk/fault"

	"github.com/hashicorp/go-hclog"
	"github.com/spf13/cobra"
)

func pluginCheckCommand(file *string) *cobra.Command {
	var f operatorFlags
	cmd := &cobra.Command{
		Use:   "check PATH",
		Short: "Run the conformance suite against a built plugin",
		Long: `Starts the plugin as the host does and looks at how it starts, how it takes its configuration, what
its hooks answer to ordinary and to hostile requests, and how it ends. No browser is needed.

Without --config it runs with its defaults; with it, with the entry of that file whose path is PATH or
whose name it is. Ends with code 1 when a check fails, and says for each what to do.`,
		Example: "  cdphost plugin check ./my-guard\n  cdphost plugin check ./my-guard --config config.yaml --json",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			spec, err := checkedSpec(*file, args[0])
			if err != nil {
				return err
			}
			report, err := conformance(cmd.Context(), spec, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			if err := show(cmd, &f, report, func(w io.Writer) { printReport(w, report) }); err != nil {
				return err
			}
			if n := report.Failures(); n > 0 {
				return silentError{fmt.Errorf("%d checks failed", n)}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print JSON")
	return cmd
}

// checkedSpec finds the plugin that a person means: one of a configuration, a
// built-in one, or a program.
func checkedSpec(file, arg string) (plugin.Spec, error) {
	if file == "" {
		if _, err := os.Stat(arg); errors.Is(err, os.ErrNotExist) && builtins[arg] != nil {
			return plugin.Spec{Name: arg, Builtin: arg}, nil
		}
		return plugin.Spec{Name: strings.TrimSuffix(filepath.Base(arg), ".exe"), Path: arg}, nil
	}
	cfg, err := config.Load(file)
	if err != nil {
		return plugin.Spec{}, err
	}
	for _, name := range slices.Sorted(maps.Keys(cfg.Plugins)) {
		if p := cfg.Plugins[name]; name == arg || p.Path != "" && sameFile(p.Path, arg) {
			return pluginSpec(p), nil
		}
	}
	return plugin.Spec{}, usageError{fault.New(fault.InvalidArgument, "%s names no plugin %q, neither by name nor by path; it has: %s",
		file, arg, strings.Join(slices.Sorted(maps.Keys(cfg.Plugins)), ", "))}
}

func sameFile(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(x, y)
}

func conformance(ctx context.Context, spec plugin.Spec, log io.Writer) (*suite.Report, error) {
	m, err := plugin.New(plugin.Options{Logger: hclog.New(&hclog.LoggerOptions{Level: hclog.Warn, Output: log})})
	if err != nil {
		return nil, err
	}
	defer m.Close() //nolint:errcheck // nothing runs in it
	return suite.Run(ctx, m.Carrier(spec), suite.Options{Config: spec.Config}, nil), nil
}

func printReport(w io.Writer, r *suite.Report) {
	marks := map[suite.Status]string{suite.OK: "✓", suite.Failed: "✗", suite.Skipped: "-"}
	for _, result := range r.Results {
		fmt.Fprintf(w, "%s %s\t%s\n", marks[result.Status], result.Check, strings.ReplaceAll(result.Detail, "\n", "; "))
		if result.Advice != "" {
			fmt.Fprintf(w, "\t→ %s\n", result.Advice)
		}
	}
	if n := r.Failures(); n > 0 {
		fmt.Fprintf(w, "%d of %d checks failed\n", n, len(r.Results))
		return
	}
	fmt.Fprintf(w, "%s %s conforms\n", r.Name, r.Version)
}
