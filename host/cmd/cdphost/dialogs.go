package main

import (
	"fmt"
	"io"
	"time"

	"cdphost/host/dialog"

	"github.com/spf13/cobra"
)

func dialogsCommand() *cobra.Command {
	var f operatorFlags
	return f.add(&cobra.Command{
		Use:   "dialogs",
		Short: "Show the dialogs that wait, of all tasks",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := ask[dialogsReply](cmd, &f, "dialogs", none{})
			if err != nil {
				return err
			}
			return show(cmd, &f, r, func(w io.Writer) {
				fmt.Fprintln(w, "TASK\tDIALOG\tTYPE\tSTATE\tOPEN FOR\tURL\tMESSAGE")
				for _, d := range r.Dialogs {
					fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%q\n", d.TaskID, d.ID, d.Type, d.State,
						time.Since(d.Opened).Round(time.Second), shorten(d.URL, 40), shorten(d.Message, 60))
				}
			})
		},
	})
}

func dialogCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "dialog",
		Short:   "Answer a dialog",
		Example: "  cdphost dialog accept d-3\n  cdphost dialog accept d-3 --text 'blue' --task shop\n  cdphost dialog dismiss",
		Args:    cobra.NoArgs,
	}
	for _, action := range []string{string(dialog.Accept), string(dialog.Dismiss)} {
		cmd.AddCommand(answerCommand(action))
	}
	return cmd
}

func answerCommand(action string) *cobra.Command {
	var f operatorFlags
	var req answerRequest
	var text string
	cmd := f.add(&cobra.Command{
		Use:   action + " [ID]",
		Short: map[string]string{"accept": "Accept a dialog", "dismiss": "Dismiss a dialog"}[action],
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			req.Action = action
			if len(args) == 1 {
				req.DialogID = args[0]
			}
			if cmd.Flags().Changed("text") {
				req.Text = &text
			}
			r, err := ask[map[string]any](cmd, &f, "dialog.answer", req)
			if err != nil {
				return err
			}
			return show(cmd, &f, r, func(w io.Writer) { fmt.Fprintf(w, "%v is closed, by %v\n", r["id"], r["closed_by"]) })
		},
	})
	cmd.Flags().StringVar(&req.TaskID, "task", "", "the task's `ID`, when several have dialogs")
	cmd.Flags().StringVar(&req.Caller, "caller", "", "the task's `CALLER`, when several have a task of that id")
	if action == string(dialog.Accept) {
		cmd.Flags().StringVar(&text, "text", "", "what a prompt returns (default: the page's own default)")
	}
	return cmd
}

// shorten cuts a text that a page controls for one line of a terminal.
func shorten(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}
