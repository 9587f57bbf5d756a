package capture

import (
	"context"
	"encoding/json"

	"cdphost/host/cdp"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
)

// send writes the command if its verdict stands in the moment of the write, and
// keeps book of what it makes.
func (h *Handle) send(ctx context.Context, cmd *Command, o *callOptions, v verdict) (json.RawMessage, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := context.AfterFunc(h.ctx, func() { cancel(context.Cause(h.ctx)) })
	defer stop()
	if cmd.Method == page.CommandHandleJavaScriptDialog && h.sup.OwnsSession(cmd.SessionID) {
		if err := h.stands(cmd.SessionID, &v); err != nil {
			return nil, err
		}
		return h.answerDialog(ctx, cmd)
	}
	if err := ctx.Err(); err != nil {
		return nil, &cdp.CallError{Method: cmd.Method, SessionID: cmd.SessionID, Err: err}
	}
	merged, err := h.begin(ctx, cmd)
	if err != nil {
		return nil, err
	}
	taken, err := h.answerRequest(cmd, &v)
	switch {
	case err != nil:
		return nil, err
	case taken == nil:
		return json.RawMessage("{}"), nil
	}
	raw := rawMessage(cmd)
	url := blankFirst(&raw)
	result, err := h.sup.CallAt(ctx, h.epoch, raw,
		cdp.WithAdmit(func(c *cdp.Command) error {
			if err := h.stands(c.SessionID, &v); err != nil {
				return err
			}
			if merged {
				h.mergeFetch(c)
			}
			return nil
		}), cdp.WithLate(h.lateReply(cmd, o)))
	if err != nil {
		h.failed(cmd)
		return nil, err
	}
	h.record(cmd, result)
	taken()
	if cmd.Method == target.CommandCreateTarget {
		if err := h.newPage(ctx, cdpText(result, "targetId"), url); err != nil {
			return nil, err
		}
	}
	return result, nil
}

func (h *Handle) lateReply(cmd *Command, o *callOptions) func(json.RawMessage, error) {
	sent := *cmd
	return func(result json.RawMessage, err error) {
		h.late(&sent)(result, err)
		if o.late != nil {
			o.late(result, err)
		}
	}
}

// begin does what has to be done before some commands are written. merged says
// that the browser gets the patterns of all holders.
func (h *Handle) begin(ctx context.Context, cmd *Command) (merged bool, err error) {
	switch cmd.Method {
	case target.CommandCloseTarget:
		h.sup.BeforeClose(ctx, h.sup.PageOf(cdpText(cmd.Params, "targetId")))
	case page.CommandClose:
		if t, ok := h.sup.TargetOf(cmd.SessionID); ok {
			h.sup.BeforeClose(ctx, t.PageID)
		}
	case page.CommandNavigate, page.CommandReload, page.CommandNavigateToHistoryEntry:
		if t, ok := h.sup.TargetOf(cmd.SessionID); ok {
			h.sup.BeforeNavigate(t.PageID)
		}
	case debuggerEnable:
		h.wantDebugger(cmd)
	case fetchEnable, fetchDisable:
		return h.wantFetch(cmd)
	}
	return false, nil
}

// failed takes back what begin noted. What the browser made of the command is not
// known: it is told what holds without it.
func (h *Handle) failed(cmd *Command) {
	switch cmd.Method {
	case debuggerEnable:
		h.stopDebugger(cmd.SessionID)
	case fetchEnable, fetchDisable:
		h.stopFetch(cmd.SessionID)
	}
}
