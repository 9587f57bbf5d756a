package local

import (
	"context"
	"encoding/json"

	"cdphost/host/page"
	"cdphost/host/tool"
	"cdphost/sdk/fault"
)

// BrowserTool is the tool of page actions.
func BrowserTool(d *Directory) *tool.Tool {
	return &tool.Tool{
		Name:        "browser",
		Title:       "Act on a page",
		Description: page.Instructions(),
		InputSchema: page.Schema(),
		OutputSchema: tool.Schema(`{"type":"object","required":["ok","action"],"properties":{
			"ok":{"type":"boolean"},"action":{"type":"string"},"tabId":{"type":"string"},"result":{},
			"earlier":{"type":"array"},"error":{"type":"object"},"task_id":{"type":"string"}}}`),
		Annotations: tool.Annotations{Destructive: true, OpenWorld: true},
		Handler:     d.act,
	}
}

// actReply is an action's reply with the task it was carried out for.
type actReply struct {
	*page.Reply
	TaskID string `json:"task_id"`
}

func (d *Directory) act(ctx context.Context, call *tool.Call) (*tool.Result, error) {
	var args struct {
		Type   string `json:"type"`
		TaskID string `json:"task_id"`
	}
	if err := json.Unmarshal(call.Args, &args); err != nil {
		return nil, fault.New(fault.InvalidAction, "the arguments are not an object with a type: %v", err)
	}
	starts := args.Type == "navigate" || args.Type == "open_tab"
	id, err := tool.TaskID(call, args.TaskID, starts, func() []string { return d.Tasks(call.Caller) })
	if err != nil {
		return nil, err
	}
	t, err := d.forAction(ctx, call, id, starts)
	if err != nil {
		return nil, err
	}
	r := t.Engine().Do(ctx, call.Args)
	res := &tool.Result{Structured: actReply{r, id}, IsError: !r.OK, Untrusted: true}
	for _, img := range r.Images {
		res.Images = append(res.Images, tool.Image{MIME: img.MIME, Data: img.Data})
	}
	return res, nil
}

func (d *Directory) forAction(ctx context.Context, call *tool.Call, id string, starts bool) (*Task, error) {
	var t tool.Task
	var err error
	if starts {
		t, err = d.Start(ctx, call.Caller, id, call.Toolset)
	} else {
		t, err = d.Task(ctx, call.Caller, id)
	}
	if err != nil {
		return nil, err
	}
	return t.(*Task), nil //nolint:forcetypeassert // the directory makes no others
}
