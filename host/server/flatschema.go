package server

import (
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// flatClients are the beginnings of the names of MCP clients whose model API
// refuses oneOf, anyOf and allOf at the top of a tool's input schema, and with it
// the whole list of tools (Anthropic's Messages API, tools.input_schema). They are
// shown the variants of such a schema as one object; calls are checked as ever.
var flatClients = []string{"claude", "anthropic"}

// forClient returns a list of tools as the client of req can use it.
func forClient(req mcp.Request, res mcp.Result) mcp.Result {
	list, ok := res.(*mcp.ListToolsResult)
	if !ok || !wantsFlat(req) {
		return res
	}
	out := *list
	out.Tools = slices.Clone(list.Tools)
	for i, t := range out.Tools {
		s, ok := t.InputSchema.(*jsonschema.Schema)
		if !ok || len(s.OneOf) == 0 {
			continue
		}
		flatTool := *t
		flatTool.InputSchema = flat(s)
		out.Tools[i] = &flatTool
	}
	return &out
}

func wantsFlat(req mcp.Request) bool {
	r, ok := req.(*mcp.ListToolsRequest)
	if !ok {
		return false
	}
	info := r.ClientInfo()
	if info == nil {
		return false
	}
	name := strings.ToLower(info.Name)
	return slices.ContainsFunc(flatClients, func(p string) bool { return strings.HasPrefix(name, p) })
}

// flat merges the variants of a schema into one object: the constants that tell
// variants apart become an enumeration, every argument keeps its own schema, and
// only what all variants require is required.
func flat(s *jsonschema.Schema) *jsonschema.Schema {
	out := s.CloneSchemas()
	variants := out.OneOf
	out.OneOf = nil
	if out.Properties == nil {
		out.Properties = map[string]*jsonschema.Schema{}
	}
	required := slices.Clone(variants[0].Required)
	for _, v := range variants {
		required = slices.DeleteFunc(required, func(name string) bool { return !slices.Contains(v.Required, name) })
		for _, name := range slices.Sorted(maps.Keys(v.Properties)) {
			out.Properties[name] = merge(out.Properties[name], v.Properties[name])
		}
	}
	for _, name := range required {
		if !slices.Contains(out.Required, name) {
			out.Required = append(out.Required, name)
		}
	}
	out.PropertyOrder = nil
	return out
}

// merge is a schema that takes what either does.
func merge(have, next *jsonschema.Schema) *jsonschema.Schema {
	if next.Const != nil {
		if have == nil {
			have = &jsonschema.Schema{Type: "string"}
		}
		have.Enum = append(have.Enum, *next.Const)
		return have
	}
	if have == nil || have.Type == "" && len(have.Enum) == 0 {
		return next
	}
	for _, v := range next.Enum {
		if len(have.Enum) > 0 && !slices.Contains(have.Enum, v) {
			have.Enum = append(have.Enum, v)
		}
	}
	if next.Type != "" && next.Type != have.Type { // a model is told by the description
		have.Type, have.Enum = "", nil
	}
	return have
}
