package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"cdphost/host/config"
	"cdphost/host/tool"
	"cdphost/sdk/fault"

	"github.com/spf13/cobra"
)

// explanation says why a toolset offers a tool or does not.
type explanation struct {
	Toolset string `json:"toolset"`
	Tool    string `json:"tool"`
	Offered bool   `json:"offered"`
	Gate    string `json:"gate,omitempty"`
	Reason  string `json:"reason"`
	// Line is where the configuration says so.
	Line string `json:"line,omitempty"`
}

func explainCommand(file *string) *cobra.Command {
	var f operatorFlags
	cmd := &cobra.Command{
		Use:   "explain TOOLSET TOOL",
		Short: "Say why a toolset offers a tool or does not, and which line says so",
		Long: `Judges by the configuration. The gate "cdp" is also open for a caller whose task is attached to a
browser, whatever the backend.`,
		Example: "  cdphost explain core browser_dialog",
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := config.Load(*file)
			if err != nil {
				return err
			}
			e, err := explain(cfg, args[0], args[1])
			if err != nil {
				return usageError{err}
			}
			return show(cmd, &f, e, func(w io.Writer) {
				offered := "offers"
				if !e.Offered {
					offered = "does not offer"
				}
				fmt.Fprintf(w, "%s %s %s: %s\n", e.Toolset, offered, e.Tool, e.Reason)
				if e.Line != "" {
					fmt.Fprintln(w, e.Line)
				}
			})
		},
	}
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print JSON")
	return cmd
}

func explain(cfg *config.Config, toolset, name string) (explanation, error) {
	e := explanation{Toolset: toolset, Tool: name}
	t, ok := cfg.Toolsets[toolset]
	if !ok {
		return e, fault.New(fault.InvalidArgument, "there is no toolset %q; there are: %s", toolset, strings.Join(slices.Sorted(maps.Keys(cfg.Toolsets)), ", "))
	}
	list := "toolsets." + toolset + ".tools"
	at := slices.Index(t.Tools, name)
	if at < 0 {
		e.Reason = "its list does not name it"
		e.Line = fmt.Sprintf("%s: %s", cfg.Position(list), list)
		return e, nil
	}
	catalog, err := tool.NewCatalog(append(tool.Builtin(&tool.Kit{}), &tool.Tool{Name: "task", Gate: tool.GateModel})...)
	if err != nil {
		return e, err
	}
	on, why := cfg.SubagentOn()
	o, _ := tool.OfferOf(catalog, toolsets(cfg)[toolset], tool.GateState{CDP: cfg.Browser.Backend.HasCDP(), Model: on, ModelReason: why, Env: os.LookupEnv}, name)
	e.Offered, e.Gate, e.Reason = o.Open, string(o.Gate), o.Reason
	if o.Tool == nil {
		e.Reason = "a plugin provides it, if any; ask the running host with cdphost plugins"
	}
	_, path := cfg.Gate(toolset, name)
	if path != "" {
		e.Line = fmt.Sprintf("%s: %s", cfg.Position(path), path)
	} else {
		e.Line = fmt.Sprintf("%s: %s[%d]", cfg.Position(fmt.Sprintf("%s[%d]", list, at)), list, at)
	}
	return e, nil
}
