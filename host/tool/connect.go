package tool

import (
	"context"

	"cdphost/host/dialog"
)

type connectArgs struct {
	URL    string `json:"url"`
	Adopt  string `json:"adopt"`
	TaskID string `json:"task_id"`
}

type connectReply struct {
	Success      bool            `json:"success"`
	TaskID       string          `json:"task_id"`
	Browser      string          `json:"browser"`
	Capabilities map[string]bool `json:"capabilities"`
	Degraded     []string        `json:"degraded,omitempty"`
	TabID        string          `json:"tab_id,omitempty"`
	URL          string          `json:"url,omitempty"`
	Pending      []dialog.Dialog `json:"pending_dialogs"`
}

func connectTool(k *Kit) *Tool {
	return &Tool{
		Name:  "browser_connect",
		Title: "Join a user's browser",
		Description: "Joins a running browser by its CDP endpoint. Pages that the task opens there are its own; " +
			"a tab of the user is taken over only when adopt names it. Nothing else of the user is touched.",
		InputSchema: Schema(`{"type":"object","additionalProperties":false,"properties":{
			"url":{"type":"string","description":"ws(s)://, http(s):// or host:port; left out: the configured endpoint, or a browser found on this machine."},
			"adopt":{"type":"string","description":"Tab id, or URL pattern with *, of the user's tab to take over."},
			"task_id":{"type":"string"}}}`),
		OutputSchema: Schema(`{"type":"object","required":["success"],"properties":{
			"success":{"type":"boolean"},"task_id":{"type":"string"},"browser":{"type":"string"},
			"capabilities":{"type":"object"},"degraded":{"type":"array","items":{"type":"string"}},
			"tab_id":{"type":"string"},"url":{"type":"string"},
			"pending_dialogs":{"type":"array"},"error":{"type":"object"}}}`),
		Annotations: Annotations{Idempotent: true, OpenWorld: true},
		Handler:     k.connect,
	}
}

func (k *Kit) connect(ctx context.Context, call *Call) (*Result, error) {
	var args connectArgs
	if err := decode(call.Args, &args); err != nil {
		return nil, err
	}
	id, err := TaskID(call, args.TaskID, true, func() []string { return k.Directory.Tasks(call.Caller) })
	if err != nil {
		return nil, err
	}
	t, err := k.Directory.Connect(ctx, call.Caller, id, call.Toolset, Connection{URL: args.URL, Adopt: args.Adopt})
	if err != nil {
		return nil, err
	}
	s := t.Snapshot()
	reply := connectReply{
		Success: true, TaskID: id, Browser: s.Backend.Product,
		Capabilities: s.Backend.Capabilities, Degraded: s.Backend.Degraded, Pending: pending(s),
	}
	if reply.Capabilities == nil {
		reply.Capabilities = map[string]bool{}
	}
	if p, ok := s.CurrentPage(); ok {
		reply.TabID, reply.URL = p.TabID, clipURL(p.URL)
	}
	return &Result{Structured: reply, Untrusted: true}, nil
}
