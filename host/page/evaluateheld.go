package page

import (
	"encoding/json"

	"cdphost/sdk/fault"
)

// evaluateHeld evaluates on a page that a dialog holds. Nothing can be awaited
// there: Chrome would take even a plain value for a promise that never settles.
func (r *run) evaluateHeld(f Frame, expression string) (any, error) {
	params := map[string]any{"expression": expression, "objectGroup": r.key}
	switch {
	case f.Context != "":
		params["uniqueContextId"] = f.Context
	case f.ParentID != "":
		return nil, fault.New(fault.EvaluateFailed, "the frame %s has no document to run in yet; try again", f.ID)
	}
	raw, err := r.call(f.Session, "Runtime.evaluate", params)
	if err != nil {
		return nil, err
	}
	var e struct {
		Result struct {
			Subtype  string `json:"subtype"`
			ObjectID string `json:"objectId"`
		} `json:"result"`
		Exception json.RawMessage `json:"exceptionDetails"`
	}
	if err := json.Unmarshal(raw, &e); err != nil {
		return nil, err
	}
	if e.Result.ObjectID == "" || e.Exception != nil {
		return evaluated(raw)
	}
	defer func() {
		_, _ = r.call(f.Session, "Runtime.releaseObjectGroup", map[string]any{"objectGroup": r.key}) // it ends with the document anyway
	}()
	if e.Result.Subtype == "promise" {
		return nil, fault.New(fault.BlockedByDialog, "the expression gives a promise, which does not settle while dialog %s holds the page; answer it with browser_dialog first", r.heldBy)
	}
	raw, err = r.call(f.Session, "Runtime.callFunctionOn", map[string]any{
		"objectId": e.Result.ObjectID, "functionDeclaration": "function() { return this }", "returnByValue": true,
	})
	if err != nil {
		return nil, err
	}
	return evaluated(raw)
}
