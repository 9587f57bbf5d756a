package main

import (
	"encoding/json"

	"github.com/spf13/cobra"
)

// browserCommand joins a task to a browser that a user owns, as the tools
// browser_connect and browser_disconnect do.
func browserCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "browser", Short: "Join a task to your own browser, or take it off", Args: cobra.NoArgs}
	cmd.AddCommand(
		browserSub("connect [URL]", "Join a browser that runs with remote debugging; without URL, the one that is found", "browser_connect", 1),
		browserSub("disconnect", "Leave the browser; your own tabs stay as they are", "browser_disconnect", 0),
		browserSub("status", "Show the task's pages, dialogs and browser", "browser_snapshot", 0),
	)
	return cmd
}

func browserSub(use, short, toolName string, maxArgs int) *cobra.Command {
	var f operatorFlags
	var task, adopt string
	req := callRequest{Tool: toolName}
	cmd := f.add(&cobra.Command{
		Use: use, Short: short, Args: cobra.MaximumNArgs(maxArgs),
		RunE: func(cmd *cobra.Command, args []string) error {
			given := map[string]any{"task_id": task}
			if len(args) == 1 {
				given["url"] = args[0]
			}
			if adopt != "" {
				given["adopt"] = adopt
			}
			if toolName == "browser_snapshot" {
				given["text"] = false
			}
			data, err := json.Marshal(given)
			if err != nil {
				return err
			}
			req.Args = data
			return callTool(cmd, &f, req)
		},
	})
	cmd.Flags().StringVar(&task, "task", "default", "the task's `ID`")
	cmd.Flags().StringVar(&req.Caller, "caller", "", "the task's `CALLER`, as cdphost tasks lists them")
	if maxArgs == 1 {
		cmd.Flags().StringVar(&adopt, "adopt", "", "take over the tab with this target id or `URL` pattern")
	}
	return cmd
}
