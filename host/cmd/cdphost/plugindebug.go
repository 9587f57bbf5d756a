package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"cdphost/host/config"
	"cdphost/host/plugin"
	"cdphost/sdk/fault"

	"github.com/spf13/cobra"
)

// debugPatience is how long a hook may take under a debugger: somebody reads code
// meanwhile.
const debugPatience = time.Hour

type (
	// debugRequest has the host ask a plugin that runs already; without an address
	// it starts its own process again.
	debugRequest struct {
		Name     string           `json:"name"`
		Reattach *plugin.Reattach `json:"reattach"`
	}
	debugReply struct {
		Plugin plugin.Status `json:"plugin"`
	}
)

func pluginDebugCommand() *cobra.Command {
	var f operatorFlags
	var address string
	var detach bool
	cmd := &cobra.Command{
		Use:   "debug NAME (--reattach ADDRESS | --detach)",
		Short: "Have the running host ask a plugin that runs under a debugger",
		Long: `Start the plugin under a debugger with CDPHOST_PLUGIN_DEBUG=1 in its environment. It prints one line of
JSON: the ADDRESS for --reattach ("-" reads it from stdin). The running host then asks that process
instead of its own one for NAME, with the configuration and the grants of NAME's entry. Hooks wait for
an hour, health is not checked, and nothing ends the process. --detach has the host start its own again.

The process serves one host at a time. When that one goes, or has let go of it with --detach, it prints
the line again: it can be joined anew, at the same address. After a change of NAME's entry, detach first.`,
		Example: `  CDPHOST_PLUGIN_DEBUG=1 dlv exec ./my-guard
  cdphost plugin debug my-guard --reattach '{"network":"unix","address":"/tmp/plugin1","pid":42}'
  cdphost plugin debug my-guard --detach`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			req := debugRequest{Name: args[0]}
			if detach == (address != "") {
				return usageError{fault.New(fault.InvalidArgument, "give either --reattach with the line that the plugin printed, or --detach")}
			}
			if !detach {
				var err error
				if req.Reattach, err = reattach(address, cmd.InOrStdin()); err != nil {
					return usageError{err}
				}
			}
			r, err := ask[debugReply](cmd, &f, "plugin.debug", req)
			if err != nil {
				return err
			}
			return show(cmd, &f, r, func(w io.Writer) {
				if detach {
					fmt.Fprintf(w, "%s is process %d of the host again\n", r.Plugin.Name, r.Plugin.PID)
					return
				}
				fmt.Fprintf(w, "%s is process %d, under your debugger; go back with: cdphost plugin debug %s --detach\n", r.Plugin.Name, r.Plugin.PID, r.Plugin.Name)
			})
		},
	}
	cmd.Flags().StringVar(&address, "reattach", "", "the `ADDRESS` that the plugin printed, \"-\" to read it from stdin")
	cmd.Flags().BoolVar(&detach, "detach", false, "have the host start its own process again")
	return f.add(cmd)
}

// reattach reads the address that a plugin under a debugger printed.
func reattach(text string, stdin io.Reader) (*plugin.Reattach, error) {
	if text == "-" {
		line, err := bufio.NewReader(stdin).ReadString('\n')
		if err != nil && line == "" {
			return nil, fault.Wrap(err, fault.InvalidArgument, "no address came on stdin: %v", err)
		}
		text = line
	}
	r := &plugin.Reattach{}
	if err := json.Unmarshal([]byte(text), r); err != nil || r.Address == "" {
		return nil, fault.New(fault.InvalidArgument, `%q is not what a plugin under CDPHOST_PLUGIN_DEBUG=1 prints, as {"network":"unix","address":"/tmp/plugin1","pid":42}`,
			strings.TrimSpace(text))
	}
	return r, nil
}

// debugPlugin has a plugin asked where it runs under a debugger, or brings the
// host's own process back.
func (h *host) debugPlugin(ctx context.Context, r debugRequest) (debugReply, error) {
	h.applying.Lock()
	defer h.applying.Unlock()
	cfg := h.config.Load()
	if _, ok := cfg.Plugins[r.Name]; !ok {
		return debugReply{}, fault.New(fault.InvalidArgument, "the configuration has no plugin %q; it has: %s",
			r.Name, strings.Join(slices.Sorted(maps.Keys(cfg.Plugins)), ", "))
	}
	before := h.debugged
	h.debugged = maps.Clone(before)
	if h.debugged == nil {
		h.debugged = map[string]*plugin.Reattach{}
	}
	delete(h.debugged, r.Name)
	if r.Reattach != nil {
		h.debugged[r.Name] = r.Reattach
	}
	if err := h.plugins.Apply(ctx, h.specs(cfg)); err != nil {
		h.debugged = before
		return debugReply{}, explainPlugin(cfg, err)
	}
	for _, s := range h.plugins.Status() {
		if s.Name == r.Name {
			return debugReply{s}, nil
		}
	}
	return debugReply{}, fault.New(fault.InvalidArgument, "no task goes over %s, so it does not run; browser.dialog_bridge names another", r.Name)
}

// specs are the plugins of a configuration, those under a debugger where they run.
// h.applying is held.
func (h *host) specs(cfg *config.Config) []plugin.Spec {
	specs := pluginSpecs(cfg)
	for i := range specs {
		if r := h.debugged[specs[i].Name]; r != nil {
			specs[i].Grants.All = specs[i].Builtin != ""
			specs[i].Reattach, specs[i].Timeout = r, debugPatience
			specs[i].Builtin, specs[i].Path, specs[i].SHA256 = "", "", ""
		}
	}
	return specs
}
