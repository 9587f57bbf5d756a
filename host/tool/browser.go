package tool

import (
	"context"
	"encoding/json"

	"cdphost/host/dialog"
	"cdphost/host/page"
	"cdphost/sdk/fault"
)

// browserReply is what the browser tool answers, errors included.
type browserReply struct {
	*page.Reply
	TaskID  string          `json:"task_id,omitempty"`
	Pending []dialog.Dialog `json:"pending_dialogs,omitempty"`
}

func browserTool(k *Kit) *Tool {
	return &Tool{
		Name:        nameBrowser,
		Title:       "Use the page",
		Description: page.Instructions(),
		InputSchema: page.Schema(),
		OutputSchema: Schema(`{"type":"object","properties":{
			"ok":{"type":"boolean"},"action":{"type":"string"},"tabId":{"type":"string"},"task_id":{"type":"string"},
			"result":{"description":"What the action returned."},"held":{"type":"object","description":"The dialog that holds the page; scripts stand still there."},"earlier":{"type":"array"},
			"pending_dialogs":{"type":"array"},"error":{"type":"object"}}}`),
		Annotations: Annotations{Destructive: true, OpenWorld: true},
		Handler:     k.browser,
	}
}

func (k *Kit) browser(ctx context.Context, call *Call) (*Result, error) {
	args := call.Args
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	var head struct {
		Type   string `json:"type"`
		TaskID string `json:"task_id"`
	}
	if err := json.Unmarshal(args, &head); err != nil {
		return actionFailed("", fault.New(fault.InvalidAction, "The arguments must be a JSON object with a string type.")), nil //nolint:nilerr // the reply is the error
	}
	t, err := existing(ctx, k.Directory, call, head.TaskID)
	if err != nil {
		return actionFailed(head.Type, err), nil
	}
	if err := k.spend(call.Caller, t.Key().TaskID); err != nil {
		return actionFailed(head.Type, err), nil
	}
	reply := t.Act(ctx, args)
	s := t.Snapshot()
	res := &Result{
		Structured: browserReply{Reply: reply, TaskID: t.Key().TaskID, Pending: s.Pending},
		Untrusted:  true, IsError: !reply.OK, Ask: questions(s),
	}
	if reply.Error != nil {
		res.Code = reply.Error.Code
	}
	for _, img := range reply.Images {
		res.Images = append(res.Images, Image{MIME: img.MIME, Data: img.Data})
	}
	return res, nil
}

// actionFailed is the reply of an action that found no task to act on.
func actionFailed(action string, err error) *Result {
	e := asFault(err)
	return &Result{IsError: true, Code: e.Code, Structured: browserReply{Reply: &page.Reply{
		Action: action, Error: &page.Failure{Code: e.Code, Message: e.Message, Details: e.Details},
	}}}
}
