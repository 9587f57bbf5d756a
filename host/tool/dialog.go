package tool

import (
	"context"
	"strings"
	"time"

	"cdphost/host/dialog"
	"cdphost/sdk/fault"
)

// answerTime is how long the browser may take to confirm an answer; it takes
// milliseconds.
const answerTime = 10 * time.Second

type dialogArgs struct {
	Action     string  `json:"action"`
	PromptText *string `json:"prompt_text"`
	DialogID   string  `json:"dialog_id"`
	TaskID     string  `json:"task_id"`
}

type dialogReply struct {
	Success bool          `json:"success"`
	TaskID  string        `json:"task_id"`
	Action  string        `json:"action"`
	Dialog  dialog.Closed `json:"dialog"`
	// Pending are the dialogs that still wait.
	Pending []dialog.Dialog `json:"pending_dialogs"`
	Note    string          `json:"note,omitempty"`
}

func dialogTool(k *Kit) *Tool {
	return &Tool{
		Name:  "browser_dialog",
		Title: "Answer a dialog",
		Description: "Answers a JavaScript dialog (alert, confirm, prompt, beforeunload) that blocks a page. " +
			"See pending_dialogs in browser_snapshot. It only answers; it never waits for a dialog to open.",
		InputSchema: Schema(`{"type":"object","required":["action"],"additionalProperties":false,"properties":{
			"action":{"type":"string","enum":["accept","dismiss"]},
			"prompt_text":{"type":"string","description":"Answer of a prompt; left out: the page's default text."},
			"dialog_id":{"type":"string","description":"Needed when several are pending."},
			"task_id":{"type":"string"}}}`),
		OutputSchema: Schema(`{"type":"object","required":["success"],"properties":{
			"success":{"type":"boolean"},"task_id":{"type":"string"},"action":{"type":"string"},
			"dialog":{"type":"object"},"pending_dialogs":{"type":"array"},
			"note":{"type":"string"},"error":{"type":"object"}}}`),
		Annotations: Annotations{Destructive: true, OpenWorld: true},
		Gate:        GateCDP,
		Handler:     k.dialog,
	}
}

func (k *Kit) dialog(ctx context.Context, call *Call) (*Result, error) {
	var args dialogArgs
	if err := decode(call.Args, &args); err != nil {
		return nil, err
	}
	if action := dialog.Action(args.Action); action != dialog.Accept && action != dialog.Dismiss {
		return nil, fault.New(fault.InvalidArgument, `action must be "accept" or "dismiss", not %q.`, args.Action).
			With("argument", "action").With("allowed", []string{"accept", "dismiss"})
	}
	t, err := existing(ctx, k.Directory, call, args.TaskID)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	closed, err := t.AnswerDialog(ctx, args.DialogID, args.Action, args.PromptText)
	if err != nil {
		return nil, asFault(err).With("pending_dialogs", pending(t.Snapshot()))
	}
	return &Result{Untrusted: true, Structured: dialogReply{
		Success: true, TaskID: t.Key().TaskID, Action: args.Action, Dialog: closed,
		Pending: pending(t.Snapshot()), Note: dialogNote(&closed, args.PromptText),
	}}, nil
}

// dialogNote says what an agent could overlook in the outcome.
func dialogNote(c *dialog.Closed, text *string) string {
	var notes []string
	if c.Type == dialog.BeforeUnload && c.Action == dialog.Dismiss {
		notes = append(notes, "The page stays: the navigation that asked was cancelled.")
	}
	if text != nil && c.Type != dialog.Prompt {
		notes = append(notes, "prompt_text was not used: only a prompt takes text.")
	}
	return strings.Join(notes, " ")
}
