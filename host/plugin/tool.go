package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
)

// Tool is a tool that a plugin adds.
type Tool struct {
	// Plugin is the name of the plugin that runs it.
	Plugin       string
	Name         string
	Title        string
	Description  string
	InputSchema  json.RawMessage
	OutputSchema json.RawMessage // nil when there is none
	ReadOnly     bool
	Destructive  bool
	Idempotent   bool
	OpenWorld    bool
}

// ToolCall is one call of a plugin's tool.
type ToolCall struct {
	Task      supervisor.Key
	Arguments json.RawMessage
	// Progress, when not nil, is called from one goroutine while the call runs.
	Progress func(done, total float64, message string)
}

// ToolResult is what a plugin's tool returned.
type ToolResult struct {
	Text       string
	Structured json.RawMessage // nil when there is none
	IsError    bool
	Images     []ToolImage
}

// ToolImage is an image of a ToolResult.
type ToolImage struct {
	MIMEType string
	Data     []byte
}

// Tools returns the tools of all plugins that are in order, by name.
func (m *Manager) Tools() []Tool {
	t := m.table.Load()
	var out []Tool
	for _, name := range sortedNames(t.tools) {
		u := t.units[t.tools[name]]
		if !u.inOrder() {
			continue
		}
		for _, tool := range u.tools {
			if tool.Name == name {
				out = append(out, tool)
			}
		}
	}
	return out
}

// CallTool runs a tool. It is not repeated when the plugin dies meanwhile:
// fault.PluginUnavailable.
func (m *Manager) CallTool(ctx context.Context, name string, call ToolCall) (ToolResult, error) {
	in := &pluginv1.CallToolRequest{Task: task(call.Task), Name: name, Arguments: call.Arguments}
	find := func() (*unit, error) {
		t := m.table.Load()
		plugin, ok := t.tools[name]
		if !ok {
			return nil, fault.New(fault.PluginUnavailable, "no plugin offers the tool %q any more", name)
		}
		return t.units[plugin], nil
	}
	return invoke(ctx, find, invocation{hook: hookTool, soft: softHook}, func(ctx context.Context, g *generation) (ToolResult, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		stream, err := g.toolHook.CallTool(ctx, in)
		if err != nil {
			return ToolResult{}, err
		}
		for {
			step, err := stream.Recv()
			switch {
			case errors.Is(err, io.EOF):
				return ToolResult{}, fault.New(fault.InternalError, "tool %s ended without a result", name)
			case err != nil:
				return ToolResult{}, err
			}
			if r := step.GetResult(); r != nil {
				return resultFrom(name, r)
			}
			if p := step.GetProgress(); p != nil && call.Progress != nil {
				call.Progress(p.GetDone(), p.GetTotal(), clean(p.GetMessage(), 500))
			}
		}
	})
}

func resultFrom(name string, r *pluginv1.ToolResult) (ToolResult, error) {
	out := ToolResult{Text: r.GetText(), IsError: r.GetIsError()}
	if s := r.GetStructured(); len(s) > 0 {
		if !isObject(s) {
			return ToolResult{}, fault.New(fault.InternalError, "the structured result of tool %s is no JSON object", name)
		}
		out.Structured = s
	}
	for _, i := range r.GetImages() {
		out.Images = append(out.Images, ToolImage{MIMEType: i.GetMimeType(), Data: i.GetData()})
	}
	return out, nil
}

// toolsFrom checks what a plugin offers.
func toolsFrom(plugin string, in *pluginv1.ToolsResponse) ([]Tool, error) {
	seen := map[string]bool{}
	var out []Tool
	for _, t := range in.GetTools() {
		switch {
		case !validToolName(t.GetName()):
			return nil, fault.New(fault.PluginUnavailable, "plugin %s: %q is no name for a tool (letters, digits, _ and -, at most 64)",
				plugin, clean(t.GetName(), 80))
		case seen[t.GetName()]:
			return nil, fault.New(fault.PluginUnavailable, "plugin %s offers the tool %s twice", plugin, t.GetName())
		case !isObject(t.GetInputSchema()):
			return nil, fault.New(fault.PluginUnavailable, "plugin %s: the input schema of tool %s is no JSON object", plugin, t.GetName())
		case len(t.GetOutputSchema()) > 0 && !isObject(t.GetOutputSchema()):
			return nil, fault.New(fault.PluginUnavailable, "plugin %s: the output schema of tool %s is no JSON object", plugin, t.GetName())
		}
		seen[t.GetName()] = true
		out = append(out, Tool{
			Plugin: plugin, Name: t.GetName(), Title: t.GetTitle(), Description: t.GetDescription(),
			InputSchema: t.GetInputSchema(), OutputSchema: t.GetOutputSchema(),
			ReadOnly: t.GetReadOnly(), Destructive: t.GetDestructive(),
			Idempotent: t.GetIdempotent(), OpenWorld: t.GetOpenWorld(),
		})
	}
	return out, nil
}

func validToolName(s string) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	for _, r := range s {
		ok := r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !ok {
			return false
		}
	}
	return true
}
