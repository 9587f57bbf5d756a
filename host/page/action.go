package page

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"cdphost/sdk/fault"
)

// actions are all that the browser tool can do, in the order in which its
// schema lists them. To add one, write its file and name it here.
var actions = []*action{
	navigate, click, typeText, pressKey, scroll, screenshot, extract,
	waitFor, hover, evaluate, getTabs, openTab, closeTab,
}

// action is one thing that an agent can do to a page.
type action struct {
	name   string
	line   string // of the tool's instructions
	schema *jsonschema.Schema

	// tabless actions name no page, or may name one that is gone.
	tabless bool
	// anyway actions are fit for a page that crashed, or that a dialog holds which
	// nobody can answer: they leave it.
	anyway bool
	// reads actions only look, and can do so where a dialog leaves the page readable.
	reads bool
	// whileHeld actions can be carried out while a dialog that opened before holds
	// the page and leaves it readable.
	whileHeld bool
	// effect actions change the page, so the end of one that a dialog
	// interrupted is worth telling.
	effect bool

	// ended reads the outcome from the reply to the command that a dialog
	// interrupted; nil when the reply says nothing.
	ended func(json.RawMessage) (any, error)

	do func(*run, json.RawMessage) (any, error)
}

// common is what the arguments of every action may hold.
type common struct {
	Type   string `json:"type"`
	TabID  string `json:"tabId"`
	TaskID string `json:"task_id"`
}

// perform adapts a function with typed arguments; an unknown or mistyped
// argument is invalid_action.
func perform[A any](fn func(*run, A) (any, error)) func(*run, json.RawMessage) (any, error) {
	return func(r *run, raw json.RawMessage) (any, error) {
		var args A
		own, err := withoutCommon(raw)
		if err != nil {
			return nil, fault.New(fault.InvalidAction, "%s: %v", r.action.name, err)
		}
		d := json.NewDecoder(bytes.NewReader(own))
		d.DisallowUnknownFields()
		if err := d.Decode(&args); err != nil {
			return nil, fault.New(fault.InvalidAction, "%s: %s; it takes %s", r.action.name,
				strings.TrimPrefix(err.Error(), "json: "), r.action.takes())
		}
		return fn(r, args)
	}
}

func withoutCommon(raw json.RawMessage) (json.RawMessage, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, err
	}
	for _, k := range []string{"type", "tabId", "task_id"} {
		delete(fields, k)
	}
	return json.Marshal(fields)
}

// takes lists the arguments of an action, for messages.
func (a *action) takes() string {
	out := make([]string, 0, len(a.schema.Properties))
	for _, k := range a.schema.PropertyOrder {
		if k != "type" {
			out = append(out, k)
		}
	}
	if len(out) == 0 {
		return "no arguments"
	}
	return strings.Join(out, ", ")
}

func names() string {
	out := make([]string, len(actions))
	for i, a := range actions {
		out[i] = a.name
	}
	return strings.Join(out, ", ")
}

// element is how actions name an element: exactly one of its fields.
type element struct {
	UID      string `json:"uid"`
	Selector string `json:"selector"`
}

func (e element) given() bool { return e.UID != "" || e.Selector != "" }

func (e element) check() error {
	if (e.UID == "") == (e.Selector == "") {
		return fault.New(fault.InvalidAction, "give exactly one of uid and selector")
	}
	return nil
}

// String names the element in messages.
func (e element) String() string {
	if e.UID != "" {
		return e.UID
	}
	return "selector " + e.Selector
}
