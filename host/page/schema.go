package page

import (
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// field is one argument of an action.
type field struct {
	name     string
	schema   *jsonschema.Schema
	required bool
}

// takes makes the schema of an action's arguments.
func takes(name string, fields ...field) *jsonschema.Schema {
	var literal any = name
	s := &jsonschema.Schema{
		Type:                 "object",
		Properties:           map[string]*jsonschema.Schema{"type": {Const: &literal}},
		PropertyOrder:        []string{"type"},
		Required:             []string{"type"},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
	for _, f := range fields {
		s.Properties[f.name] = f.schema
		s.PropertyOrder = append(s.PropertyOrder, f.name)
		if f.required {
			s.Required = append(s.Required, f.name)
		}
	}
	return s
}

func text() *jsonschema.Schema { return &jsonschema.Schema{Type: "string"} }

func number() *jsonschema.Schema { return &jsonschema.Schema{Type: "number"} }

func integer(description string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "integer", Description: description}
}

func flag() *jsonschema.Schema { return &jsonschema.Schema{Type: "boolean"} }

func oneOf(description string, values ...string) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string", Description: description}
	for _, v := range values {
		s.Enum = append(s.Enum, v)
	}
	return s
}

func need(name string, s *jsonschema.Schema) field { return field{name, s, true} }
func may(name string, s *jsonschema.Schema) field  { return field{name, s, false} }

// onElement are the arguments of an action on an element and its page.
func onElement(more ...field) []field {
	return append([]field{may("uid", text()), may("selector", text())}, onTab(more...)...)
}

// onTab are the arguments of an action on a page.
func onTab(more ...field) []field {
	return append(more, may("tabId", text()))
}

// Schema returns the arguments of the browser tool: one variant for each action.
func Schema() *jsonschema.Schema {
	s := &jsonschema.Schema{
		Type:       "object",
		Properties: map[string]*jsonschema.Schema{"task_id": {Type: "string"}},
		Required:   []string{"type"},
	}
	for _, a := range actions {
		variant := a.schema.CloneSchemas()
		variant.Properties["task_id"] = &jsonschema.Schema{}
		s.OneOf = append(s.OneOf, variant)
	}
	return s
}

// Instructions describe the browser tool to a model: a line for each action,
// then what each error code means for its next step.
func Instructions() string {
	var b strings.Builder
	b.WriteString("One action on a page of the task. Element actions take exactly one of uid (from extract) or selector (CSS; looks into frames and shadow roots). tabId defaults to the current tab.\n")
	for _, a := range actions {
		b.WriteString("- " + a.name + ": " + a.line + "\n")
	}
	b.WriteString(codes)
	return b.String()
}

const codes = `Errors: element_not_found, element_stale: extract again, use a new uid. element_obscured: deal with what covers it. timeout: extract and look, do not repeat the wait. blocked_by_dialog: answer with browser_dialog. tab_not_found: get_tabs. session_not_found: stop and report what you have. navigation_failed: check the url. domain_blocked, scheme_blocked: do without. evaluate_failed: fix the expression. invalid_action: fix the arguments. internal_error: look, then try once more.`
