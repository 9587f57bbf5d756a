package subagent

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// shape is the part of a JSON Schema that flatten needs.
type shape struct {
	Type                 string                     `json:"type,omitempty"`
	Properties           map[string]json.RawMessage `json:"properties,omitempty"`
	Required             []string                   `json:"required,omitempty"`
	AdditionalProperties json.RawMessage            `json:"additionalProperties,omitempty"`
	OneOf                []shape                    `json:"oneOf,omitempty"`
}

// variants knows, for each value of a tool's discriminator "type", the
// arguments that go with it. A tool without variants has none.
type variants map[string]map[string]bool

// flatten makes a tool fit for providers, which refuse oneOf at the top of a
// schema: the variants become one object whose "type" is an enum, and what each
// of them takes is said in the description. task_id is taken out, because a run
// has one task.
func flatten(t Tool) (Tool, variants, error) {
	var in shape
	if err := json.Unmarshal(t.Schema, &in); err != nil {
		return t, nil, fmt.Errorf("the schema of %s: %w", t.Name, err)
	}
	delete(in.Properties, "task_id")
	if len(in.OneOf) == 0 {
		schema, err := json.Marshal(in)
		t.Schema = schema
		return t, nil, err
	}
	out := shape{Type: "object", Properties: map[string]json.RawMessage{}, Required: []string{"type"}}
	takes := make(variants)
	var names []string
	var lines strings.Builder
	choices := make(map[string][]json.RawMessage)
	for _, v := range in.OneOf {
		var kind struct {
			Const string `json:"const"`
		}
		if err := json.Unmarshal(v.Properties["type"], &kind); err != nil || kind.Const == "" {
			return t, nil, fmt.Errorf("the schema of %s has a variant without a constant type", t.Name)
		}
		names = append(names, kind.Const)
		takes[kind.Const] = map[string]bool{"type": true}
		var must, may []string
		for name, s := range v.Properties {
			if name == "type" || name == "task_id" {
				continue
			}
			takes[kind.Const][name] = true
			if !slices.ContainsFunc(choices[name], func(o json.RawMessage) bool { return string(o) == string(s) }) {
				choices[name] = append(choices[name], s)
			}
			if slices.Contains(v.Required, name) {
				must = append(must, name)
			} else {
				may = append(may, name+"?")
			}
		}
		slices.Sort(must)
		slices.Sort(may)
		fmt.Fprintf(&lines, "\n%s(%s)", kind.Const, strings.Join(append(must, may...), ", "))
	}
	for name, c := range choices {
		out.Properties[name] = merged(c)
	}
	enum, err := json.Marshal(map[string]any{"type": "string", "enum": names})
	if err != nil {
		return t, nil, err
	}
	out.Properties["type"] = enum
	if t.Schema, err = json.Marshal(out); err != nil {
		return t, nil, err
	}
	t.Description += "\nArguments beside type:" + lines.String()
	return t, takes, nil
}

// merged is a schema that takes what any of the given ones takes.
func merged(choices []json.RawMessage) json.RawMessage {
	if len(choices) == 1 {
		return choices[0]
	}
	types := make(map[string]bool)
	for _, c := range choices {
		var s struct {
			Type string `json:"type"`
		}
		if json.Unmarshal(c, &s) != nil || s.Type == "" {
			return json.RawMessage("{}")
		}
		types[s.Type] = true
	}
	if len(types) == 1 {
		for name := range types {
			return json.RawMessage(`{"type":"` + name + `"}`)
		}
	}
	return json.RawMessage("{}")
}

// prune takes out what models fill in because a flat schema lists it: nulls,
// and empty arguments that the chosen variant does not take. An empty argument
// says nothing, so nothing that was meant is lost.
func (v variants) prune(args json.RawMessage) json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(args, &fields) != nil {
		return args
	}
	var kind string
	_ = json.Unmarshal(fields["type"], &kind) // "" when it is no string: nothing is known then
	takes := v[kind]
	changed := false
	for name, value := range fields {
		empty := string(value) == "null" ||
			takes != nil && !takes[name] && slices.Contains([]string{`""`, "0", "false", "[]", "{}"}, string(value))
		if empty {
			delete(fields, name)
			changed = true
		}
	}
	if !changed {
		return args
	}
	out, err := json.Marshal(fields)
	if err != nil {
		return args
	}
	return out
}
