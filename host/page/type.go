package page

import (
	"strings"

	"cdphost/sdk/fault"
)

var typeText = &action{
	name: "type",
	line: "replace what a field holds by text; a select takes an option's label, date and color inputs their value format (2026-01-31, #ff0000). submit: Enter afterwards.",
	schema: takes("type", onElement(need("text", text()),
		may("submit", flag()))...),
	effect: true,
	do:     perform(doType),
}

type typeArgs struct {
	element
	Text   *string `json:"text"`
	Submit bool    `json:"submit"`
}

// filled is what the walker's fill answers.
type filled struct {
	Why     string   `json:"why"`
	Done    bool     `json:"done"`
	Keys    bool     `json:"keys"`
	Empty   bool     `json:"empty"`
	Value   *string  `json:"value"`
	Want    string   `json:"want"`
	Type    string   `json:"type"`
	Options []string `json:"options"`
}

func doType(r *run, a typeArgs) (any, error) {
	if a.Text == nil {
		return nil, fault.New(fault.InvalidAction, "type: text is missing")
	}
	l, err := r.locate(a.element, shown, enabled, writable)
	if err != nil {
		return nil, err
	}
	switch {
	case l.Tag == "input" && l.Type == "file":
		return r.upload(l, *a.Text)
	case !l.Editable && l.Tag != "select":
		return nil, fault.New(fault.InvalidAction, "%s is no field to type into; click it instead", l.title())
	}
	if err := r.attend(); err != nil {
		return nil, err
	}
	before := r.host.State()
	if err := r.fill(l, *a.Text); err != nil {
		return nil, err
	}
	var now filled
	if err := r.told(l, "holds", map[string]any{}, &now); err != nil {
		return nil, err
	}
	if a.Submit {
		if err := r.submit(l); err != nil {
			return nil, err
		}
	}
	out, err := r.outcomeSince(before, a.Submit, false)
	if err != nil {
		return nil, err
	}
	out.UID, out.Element = r.handle(l), l.title()
	return struct {
		*pressed
		Value *string `json:"value,omitempty"`
	}{out, now.Value}, nil
}

// fill puts text into a field in place of what it holds.
func (r *run) fill(l *located, s string) error {
	var f filled
	if err := r.told(l, "fill", map[string]any{"text": s}, &f); err != nil {
		return err
	}
	switch f.Why {
	case "":
	case "removed":
		return fault.New(fault.ElementStale, "the field went away while it was typed into; extract again").With("cause", "removed")
	case "malformed":
		return fault.New(fault.InvalidAction, "a %s input does not take %q; its format is %s", f.Type, s, formats[f.Type])
	case "no_option":
		return fault.New(fault.InvalidAction, "there is no option %q; there are: %s", f.Want, strings.Join(f.Options, " | "))
	case "option_disabled":
		return fault.New(fault.InvalidAction, "the option %q is disabled", f.Want)
	case "unfocused":
		return fault.New(fault.ElementObscured, "%s does not take the focus; click it first", l.title())
	default:
		return fault.New(fault.InternalError, "%s: %s", l.title(), f.Why)
	}
	if f.Done {
		return nil
	}
	if s == "" {
		if f.Empty {
			return nil
		}
		return r.tap(chord{layout["Delete"], 0})
	}
	if l.Tag == "textarea" && strings.Contains(s, "\n") {
		return r.insert(s) // Enter may mean submit to the page
	}
	return r.typeKeys(s)
}

// formats are the value formats of inputs that only scripts can fill.
var formats = map[string]string{
	"date": "YYYY-MM-DD", "month": "YYYY-MM", "week": "YYYY-Www", "time": "HH:MM", "datetime-local": "YYYY-MM-DDTHH:MM",
	"color": "#rrggbb", "range": "a number within its limits and step",
}

func (r *run) submit(l *located) error {
	if l.Tag != "textarea" && l.Tag != "select" {
		return r.tap(chord{layout["Enter"], 0})
	}
	var f filled
	if err := r.told(l, "submit", map[string]any{}, &f); err != nil {
		return err
	}
	if f.Why == "no_form" {
		return fault.New(fault.InvalidAction, "%s is in no form that could be submitted; the text was typed", l.title())
	}
	return nil
}
