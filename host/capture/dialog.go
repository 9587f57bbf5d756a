package capture

import (
	"context"
	"encoding/json"

	"cdphost/host/cdp"
	"cdphost/host/dialog"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"

	"github.com/chromedp/cdproto/page"
)

// noDialog is what Chrome answers when there is none.
const noDialog = -32602

// answerDialog is Page.handleJavaScriptDialog: it answers through the dialog
// queue, so that the answer is recorded as what it is, and none is sent for a
// dialog whose frame has gone, which would take the browser down.
func (h *Handle) answerDialog(ctx context.Context, cmd *Command) (json.RawMessage, error) {
	var p page.HandleJavaScriptDialogParams
	if err := cdp.Unmarshal(cmd.Params, &p); err != nil {
		return nil, fault.Wrap(err, fault.InvalidArgument, "the params of %s are not its own", cmd.Method)
	}
	t, _ := h.sup.TargetOf(cmd.SessionID)
	answer := supervisor.DialogAnswer{Action: string(dialog.Dismiss), By: dialog.AutoPolicy}
	if h.holder.KeepsWhatItMakes {
		answer.By = dialog.Agent
	}
	for _, d := range h.sup.Snapshot().Pending {
		if d.TargetID != t.PageID || d.State == dialog.Orphaned {
			continue
		}
		answer.ID = d.ID
		if p.Accept {
			answer.Action = string(dialog.Accept)
			if d.Type == dialog.Prompt {
				answer.Text = &p.PromptText // Chrome's own meaning of one without text
			}
		}
		if _, err := h.sup.AnswerDialog(ctx, answer); err != nil {
			return nil, err
		}
		return json.RawMessage(`{}`), nil
	}
	return nil, &cdp.CallError{Method: cmd.Method, SessionID: cmd.SessionID, Sent: true, Err: &cdp.Error{Code: noDialog, Message: "No dialog is showing"}}
}
