package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

func taskCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "task", Short: "Work with one task", Args: cobra.NoArgs}
	var f operatorFlags
	var req taskRequest
	stop := f.add(&cobra.Command{
		Use:     "stop ID",
		Short:   "End a task: its pages, its sessions and what it made",
		Example: "  cdphost task stop shop",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			req.TaskID = args[0]
			r, err := ask[none](cmd, &f, "task.stop", req)
			if err != nil {
				return err
			}
			return show(cmd, &f, r, func(w io.Writer) { fmt.Fprintf(w, "%s has ended\n", req.TaskID) })
		},
	})
	stop.Flags().StringVar(&req.Caller, "caller", "", "the task's `CALLER`, when several have a task of that id")
	cmd.AddCommand(stop)
	return cmd
}
