package tool

import "context"

type disconnectArgs struct {
	TaskID string `json:"task_id"`
}

type disconnectReply struct {
	Success bool   `json:"success"`
	TaskID  string `json:"task_id"`
}

func disconnectTool(k *Kit) *Tool {
	return &Tool{
		Name:  "browser_disconnect",
		Title: "Leave the browser",
		Description: "Ends the task's use of its browser. Pages that the task opened are closed; " +
			"a user's own browser and tabs stay as they are.",
		InputSchema: Schema(`{"type":"object","additionalProperties":false,"properties":{"task_id":{"type":"string"}}}`),
		OutputSchema: Schema(`{"type":"object","required":["success"],"properties":{
			"success":{"type":"boolean"},"task_id":{"type":"string"},"error":{"type":"object"}}}`),
		Annotations: Annotations{Destructive: true, Idempotent: true},
		Handler:     k.disconnect,
	}
}

func (k *Kit) disconnect(ctx context.Context, call *Call) (*Result, error) {
	var args disconnectArgs
	if err := decode(call.Args, &args); err != nil {
		return nil, err
	}
	id, err := TaskID(call, args.TaskID, false, func() []string { return k.Directory.Tasks(call.Caller) })
	if err != nil {
		return nil, err
	}
	if err := k.Directory.Disconnect(ctx, call.Caller, id); err != nil {
		return nil, err
	}
	return &Result{Structured: disconnectReply{Success: true, TaskID: id}}, nil
}
