package page

import (
	"encoding/json"
	"errors"
	"strings"

	"cdphost/host/cdp"
	"cdphost/sdk/fault"
)

var evaluate = &action{
	name: "evaluate",
	line: "run JavaScript in the page and return its value as JSON; promises are awaited. frame_id: in that frame.",
	schema: takes("evaluate", onTab(need("expression", text()),
		may("frame_id", text()))...),
	effect:    true,
	whileHeld: true,
	ended:     evaluated,
	do:        perform(doEvaluate),
}

// valueCap is how many bytes of JSON an evaluation may return.
const valueCap = 64 << 10

func doEvaluate(r *run, a struct {
	Expression string `json:"expression"`
	FrameID    string `json:"frame_id"`
}) (any, error) {
	if strings.TrimSpace(a.Expression) == "" {
		return nil, fault.New(fault.InvalidAction, "evaluate: expression is empty")
	}
	tab, err := r.tab()
	if err != nil {
		return nil, err
	}
	f := tab.Top()
	if a.FrameID != "" {
		var ok bool
		if f, ok = tab.Frame(a.FrameID); !ok {
			ids := make([]string, len(tab.Frames))
			for i, f := range tab.Frames {
				ids[i] = f.ID
			}
			return nil, fault.New(fault.InvalidAction, "the page has no frame %s; it has %s", a.FrameID, strings.Join(ids, ", "))
		}
	}
	if r.heldBy != "" {
		return r.evaluateHeld(f, a.Expression)
	}
	raw, err := r.evaluateMain(f, a.Expression, false)
	if err == nil && awaitsAtTop(raw) {
		raw, err = r.evaluateMain(f, a.Expression, true)
	}
	if err != nil {
		return nil, err
	}
	return evaluated(raw)
}

// evaluateMain runs an expression in a frame's own world. The context's unique
// id ties it to the document that is there now.
func (r *run) evaluateMain(f Frame, expression string, repl bool) (json.RawMessage, error) {
	params := map[string]any{
		"expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true,
	}
	if repl {
		params["replMode"] = true
	}
	switch {
	case f.Context != "":
		params["uniqueContextId"] = f.Context
	case f.ParentID != "":
		return nil, fault.New(fault.EvaluateFailed, "the frame %s has no document to run in yet; try again", f.ID)
	}
	raw, err := r.call(f.Session, "Runtime.evaluate", params)
	var refused *cdp.Error
	if errors.As(err, &refused) {
		switch {
		case gone(err):
			return nil, fault.New(fault.EvaluateFailed, "the page navigated before the expression ended; look where it is now")
		case strings.Contains(refused.Message, "reference chain is too long"), strings.Contains(refused.Message, "returned by value"):
			return nil, fault.New(fault.EvaluateFailed, "the value can't be written as JSON (%s); return plain data", refused.Message)
		}
	}
	return raw, err
}

// evaluation is the reply to Runtime.evaluate.
type evaluation struct {
	Result struct {
		Type                string          `json:"type"`
		Subtype             string          `json:"subtype"`
		ClassName           string          `json:"className"`
		Value               json.RawMessage `json:"value"`
		UnserializableValue string          `json:"unserializableValue"`
		Description         string          `json:"description"`
	} `json:"result"`
	Exception *struct {
		Text      string `json:"text"`
		Line      int    `json:"lineNumber"`
		Exception struct {
			Description string          `json:"description"`
			Value       json.RawMessage `json:"value"`
		} `json:"exception"`
	} `json:"exceptionDetails"`
}

// awaitsAtTop tells that nothing ran, because await stands outside a function.
func awaitsAtTop(raw json.RawMessage) bool {
	var e evaluation
	if json.Unmarshal(raw, &e) != nil || e.Exception == nil {
		return false
	}
	d := e.Exception.Exception.Description
	return strings.HasPrefix(d, "SyntaxError") && strings.Contains(d, "await")
}

// evaluated turns the reply to Runtime.evaluate into the action's result.
func evaluated(raw json.RawMessage) (any, error) {
	var e evaluation
	if err := json.Unmarshal(raw, &e); err != nil {
		return nil, err
	}
	if x := e.Exception; x != nil {
		what := x.Exception.Description
		if what == "" {
			what = strings.TrimSpace(x.Text + " " + string(x.Exception.Value))
		}
		return nil, fault.New(fault.EvaluateFailed, "%s", clip(what, 1000))
	}
	out := map[string]any{"type": e.Result.Type}
	if e.Result.Subtype != "" {
		out["type"] = e.Result.Subtype
	}
	switch {
	case e.Result.UnserializableValue != "":
		out["value"] = e.Result.UnserializableValue
	case len(e.Result.Value) > valueCap:
		out["value"], out["truncated"], out["bytes"] = clip(string(e.Result.Value), valueCap), true, len(e.Result.Value)
	case len(e.Result.Value) > 0:
		out["value"] = e.Result.Value
	case e.Result.Type == "function":
		out["value"] = e.Result.Description
		out["hint"] = "this is a function; call it"
	}
	return out, nil
}
