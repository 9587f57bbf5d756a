package main

import (
	"context"
	"encoding/json"

	"cdphost/host/plugin"
	"cdphost/host/supervisor"
	"cdphost/host/tool"
	"cdphost/sdk/fault"

	"github.com/google/jsonschema-go/jsonschema"
)

// offerPluginTools puts the tools of the running plugins into the catalogue.
func (h *host) offerPluginTools() {
	var tools []*tool.Tool
	for _, t := range h.plugins.Tools() {
		tl, err := h.pluginTool(t)
		if err != nil {
			h.logger.Warn("a plugin's tool is not offered", "plugin", t.Plugin, "tool", t.Name, "error", err)
			continue
		}
		tools = append(tools, tl)
	}
	if err := h.catalog.Set("plugins", tools); err != nil {
		h.logger.Error("the plugins' tools are not offered", "error", err)
	}
	h.refresh()
}

func (h *host) pluginTool(t plugin.Tool) (*tool.Tool, error) {
	in, err := schema(t.InputSchema)
	if err != nil {
		return nil, err
	}
	out, err := schema(t.OutputSchema)
	if err != nil {
		return nil, err
	}
	return &tool.Tool{
		Name: t.Name, Title: t.Title, Description: t.Description, InputSchema: in, OutputSchema: out,
		Annotations: tool.Annotations{ReadOnly: t.ReadOnly, Destructive: t.Destructive, Idempotent: t.Idempotent, OpenWorld: t.OpenWorld},
		Handler: func(ctx context.Context, call *tool.Call) (*tool.Result, error) {
			return h.callPluginTool(ctx, t.Name, call)
		},
	}, nil
}

// callPluginTool runs a plugin's tool for a task that exists, named as in every
// other tool.
func (h *host) callPluginTool(ctx context.Context, name string, call *tool.Call) (*tool.Result, error) {
	var args struct {
		TaskID string `json:"task_id"`
	}
	if len(call.Args) > 0 {
		if err := json.Unmarshal(call.Args, &args); err != nil {
			return nil, fault.New(fault.InvalidArgument, "the arguments of %s are not an object whose task_id, if any, is a string", name)
		}
	}
	id, err := tool.TaskID(call, args.TaskID, false, func() []string { return h.tasks.Tasks(call.Caller) })
	if err != nil {
		return nil, err
	}
	t, err := h.tasks.Task(ctx, call.Caller, id)
	if err != nil {
		return nil, err
	}
	r, err := h.plugins.CallTool(ctx, name, plugin.ToolCall{
		Task: supervisor.Key{Caller: t.Key().Caller, TaskID: id}, Arguments: call.Args, Progress: call.Progress,
	})
	if err != nil {
		return nil, err
	}
	out := &tool.Result{Text: r.Text, IsError: r.IsError, Untrusted: true}
	if len(r.Structured) > 0 {
		out.Structured = r.Structured
	}
	for _, img := range r.Images {
		out.Images = append(out.Images, tool.Image{MIME: img.MIMEType, Data: img.Data})
	}
	return out, nil
}

func schema(raw json.RawMessage) (*jsonschema.Schema, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	return &s, nil
}
