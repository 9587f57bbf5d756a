package capture

import (
	"encoding/json"

	"cdphost/host/cdp"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// creation is one thing that a handle made in the browser, as the command that
// undoes it.
type creation struct {
	what string // what identifies it, so that its own end can be recognised
	undo cdp.Command
}

// creationOf reads from a command and its result what was made.
func creationOf(cmd Command, result json.RawMessage) (creation, bool) {
	switch cmd.Method {
	case target.CommandAttachToTarget:
		var r target.AttachToTargetResult
		if cdp.Unmarshal(result, &r) == nil && r.SessionID != "" {
			return creation{"session " + string(r.SessionID), command("", target.CommandDetachFromTarget,
				&target.DetachFromTargetParams{SessionID: r.SessionID})}, true
		}
	case target.CommandCreateTarget:
		var r target.CreateTargetResult
		if cdp.Unmarshal(result, &r) == nil && r.TargetID != "" {
			return creation{"target " + string(r.TargetID), command("", target.CommandCloseTarget,
				&target.CloseTargetParams{TargetID: r.TargetID})}, true
		}
	case page.CommandAddScriptToEvaluateOnNewDocument:
		var r page.AddScriptToEvaluateOnNewDocumentResult
		if cdp.Unmarshal(result, &r) == nil && r.Identifier != "" {
			return creation{"script " + cmd.SessionID + " " + string(r.Identifier), command(cmd.SessionID, page.CommandRemoveScriptToEvaluateOnNewDocument,
				&page.RemoveScriptToEvaluateOnNewDocumentParams{Identifier: r.Identifier})}, true
		}
	case runtime.CommandAddBinding:
		var p runtime.AddBindingParams
		if cdp.Unmarshal(cmd.Params, &p) == nil {
			return creation{"binding " + cmd.SessionID + " " + p.Name, command(cmd.SessionID, runtime.CommandRemoveBinding,
				&runtime.RemoveBindingParams{Name: p.Name})}, true
		}
	case fetch.CommandEnable:
		return creation{"fetch " + cmd.SessionID, command(cmd.SessionID, fetch.CommandDisable, nil)}, true
	}
	return creation{}, false
}

// endOf reads from a command what it ends of what was made.
func endOf(cmd Command) string {
	var p struct {
		SessionID  string `json:"sessionId"`
		TargetID   string `json:"targetId"`
		Identifier string `json:"identifier"`
		Name       string `json:"name"`
	}
	switch cmd.Method {
	case target.CommandDetachFromTarget, target.CommandCloseTarget,
		page.CommandRemoveScriptToEvaluateOnNewDocument, runtime.CommandRemoveBinding:
		if json.Unmarshal(cmd.Params, &p) != nil {
			return ""
		}
	case fetch.CommandDisable:
		return "fetch " + cmd.SessionID
	}
	switch cmd.Method {
	case target.CommandDetachFromTarget:
		return "session " + p.SessionID
	case target.CommandCloseTarget:
		return "target " + p.TargetID
	case page.CommandRemoveScriptToEvaluateOnNewDocument:
		return "script " + cmd.SessionID + " " + p.Identifier
	case runtime.CommandRemoveBinding:
		return "binding " + cmd.SessionID + " " + p.Name
	}
	return ""
}

// record notes what a command made or ended. A handle that is released by now
// undoes it at once.
func (h *Handle) record(cmd Command, result json.RawMessage) {
	if end := endOf(cmd); end != "" {
		h.mu.Lock()
		for i, c := range h.made {
			if c.what == end {
				h.made = append(h.made[:i:i], h.made[i+1:]...)
				break
			}
		}
		h.mu.Unlock()
		return
	}
	c, ok := creationOf(cmd, result)
	if !ok {
		return
	}
	h.mu.Lock()
	released := h.ctx.Err() != nil
	if !released {
		for _, old := range h.made {
			if old.what == c.what { // enabled twice
				h.mu.Unlock()
				return
			}
		}
		h.made = append(h.made, c)
	}
	h.mu.Unlock()
	if released && !h.holder.KeepsWhatItMakes {
		h.undo(c)
	}
}

// late takes the reply that came after the caller had gone: what it made belongs
// to nobody and is undone, once.
func (h *Handle) late(cmd Command) func(json.RawMessage, error) {
	return func(result json.RawMessage, err error) {
		if err != nil {
			return
		}
		if c, ok := creationOf(cmd, result); ok && cmd.Method != fetch.CommandEnable {
			h.undo(c)
		}
	}
}

// undo sends without waiting. In a later epoch there is nothing to undo.
func (h *Handle) undo(c creation) {
	if h.sup.Snapshot().Epoch == h.epoch {
		h.sup.Post(c.undo, nil)
	}
}

func command(session, method string, params any) cdp.Command {
	c := cdp.Command{SessionID: session, Method: method}
	if params != nil {
		c.Params = cdp.Marshal(params)
	}
	return c
}
