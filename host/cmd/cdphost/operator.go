package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"cdphost/host/server/control"

	"github.com/spf13/cobra"
)

// operatorFlags are the flags of commands that talk to a running host.
type operatorFlags struct {
	pid    int
	asJSON bool
}

func (f *operatorFlags) add(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().IntVar(&f.pid, "pid", 0, "the host's process `ID`, when several run")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print JSON")
	return cmd
}

// ask sends one request to the running host.
func ask[Resp any](cmd *cobra.Command, f *operatorFlags, name string, req any) (Resp, error) {
	var zero Resp
	c, err := control.Find(cmd.Context(), control.Dir(), f.pid)
	if err != nil {
		return zero, err
	}
	defer c.Close()
	return control.Call[Resp](cmd.Context(), c, name, req)
}

// show prints a reply as JSON or through table.
func show(cmd *cobra.Command, f *operatorFlags, v any, table func(w io.Writer)) error {
	if f.asJSON {
		enc := json.NewEncoder(cmd.OutOrStdout())
		enc.SetIndent("", "  ")
		return enc.Encode(v)
	}
	w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 4, 2, ' ', 0)
	table(w)
	return w.Flush()
}

func reloadCommand() *cobra.Command {
	var f operatorFlags
	return f.add(&cobra.Command{
		Use:   "reload",
		Short: "Have the running host read its configuration again",
		Long:  "The configuration is checked whole first. An invalid one changes nothing.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := ask[reloadReply](cmd, &f, "reload", none{})
			if err != nil {
				return err
			}
			return show(cmd, &f, r, func(w io.Writer) {
				if len(r.Changes) == 0 {
					fmt.Fprintln(w, "nothing changed")
				}
				for _, c := range r.Changes {
					fmt.Fprintln(w, c)
				}
			})
		},
	})
}

func pluginsCommand() *cobra.Command {
	var f operatorFlags
	return f.add(&cobra.Command{
		Use:   "plugins",
		Short: "Show the running host's plugins",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := ask[pluginsReply](cmd, &f, "plugins", none{})
			if err != nil {
				return err
			}
			return show(cmd, &f, r, func(w io.Writer) {
				fmt.Fprintln(w, "NAME\tVERSION\tHOOKS\tPID\tGEN\tRESTARTS\tHEALTH\tQUEUE\tDROPS\tP50\tP99")
				for _, p := range r.Plugins {
					fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%d\t%s\t%d\t%d\t%s\t%s\n", p.Name, p.Version, join(p.Hooks), p.PID, p.Generation,
						p.Restarts, p.Health, p.QueueDepth, p.Dropped, p.P50.Round(10*time.Microsecond), p.P99.Round(10*time.Microsecond))
				}
			})
		},
	})
}

func tasksCommand() *cobra.Command {
	var f operatorFlags
	cmd := f.add(&cobra.Command{
		Use:   "tasks",
		Short: "Show the running host's tasks",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := ask[tasksReply](cmd, &f, "tasks", none{})
			if err != nil {
				return err
			}
			return show(cmd, &f, r, func(w io.Writer) {
				fmt.Fprintln(w, "CALLER\tTASK\tTOOLSET\tBACKEND\tPAGES\tDIALOGS\tLAST USED")
				for _, t := range r.Tasks {
					fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%d\t%s ago\n", t.Caller, t.TaskID, t.Toolset, t.Backend, t.Pages, t.Pending,
						time.Since(t.LastUsed).Round(time.Second))
				}
			})
		},
	})
	return cmd
}

func join(list []string) string {
	out := ""
	for i, s := range list {
		if i > 0 {
			out += ","
		}
		out += s
	}
	return out
}
