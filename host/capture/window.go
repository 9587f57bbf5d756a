package capture

import (
	"context"
	"encoding/json"

	"cdphost/host/cdp"
	"cdphost/sdk/fault"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/target"
)

// ownWindow checks that a window shows one of the task's pages. Only the browser
// knows.
func (h *Handle) ownWindow(ctx context.Context, cmd *Command, p fields) error {
	for _, page := range h.sup.Snapshot().Pages {
		raw, err := h.sup.CallAt(ctx, h.epoch, command("", browser.CommandGetWindowForTarget,
			&browser.GetWindowForTargetParams{TargetID: target.ID(page.TargetID)}))
		var r struct {
			WindowID json.RawMessage `json:"windowId"`
		}
		if err == nil && cdp.Unmarshal(raw, &r) == nil && string(r.WindowID) == string(p["windowId"]) {
			return nil
		}
		if ctx.Err() != nil {
			return h.explain(cmd, &cdp.CallError{Method: cmd.Method, Err: ctx.Err()})
		}
	}
	return fault.New(fault.NotYours, "the window %s shows no page of this task", p["windowId"])
}
