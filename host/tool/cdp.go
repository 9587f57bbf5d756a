package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"time"

	"cdphost/host/dialog"
	"cdphost/sdk/fault"
)

const defaultCDPTimeout = 30

type cdpArgs struct {
	Method   string          `json:"method"`
	Params   json.RawMessage `json:"params"`
	FrameID  string          `json:"frame_id"`
	TargetID string          `json:"target_id"`
	Timeout  *float64        `json:"timeout"`
	TaskID   string          `json:"task_id"`
}

type cdpReply struct {
	Success   bool            `json:"success"`
	TaskID    string          `json:"task_id"`
	Method    string          `json:"method"`
	SessionID string          `json:"session_id"`
	FrameID   string          `json:"frame_id,omitempty"`
	Result    json.RawMessage `json:"result"`
	Redacted  int             `json:"redacted,omitempty"`
	Pending   []dialog.Dialog `json:"pending_dialogs,omitempty"`
}

func cdpTool(k *Kit) *Tool {
	return &Tool{
		Name:  "browser_cdp",
		Title: "Send a CDP command",
		Description: "Sends one Chrome DevTools Protocol command on the task's own connection: cookies, viewport, throttling, " +
			"anything the other tools lack. Goes to the current page; Browser.* and Target.* go to the browser. " +
			"frame_id (from frame_tree) runs it inside that frame, target_id on that page.",
		InputSchema: Schema(`{"type":"object","required":["method"],"additionalProperties":false,"properties":{
			"method":{"type":"string","description":"Domain.method, such as Runtime.evaluate."},
			"params":{"type":"object","default":{}},
			"frame_id":{"type":"string"},
			"target_id":{"type":"string","description":"Target id or tab id."},
			"timeout":{"type":"number","default":30,"minimum":1,"maximum":300,"description":"Seconds."},
			"task_id":{"type":"string"}}}`),
		OutputSchema: Schema(`{"type":"object","required":["success"],"properties":{
			"success":{"type":"boolean"},"task_id":{"type":"string"},"method":{"type":"string"},"result":{"type":"object"},
			"frame_id":{"type":"string"},"session_id":{"type":"string"},"redacted":{"type":"integer"},
			"pending_dialogs":{"type":"array"},"error":{"type":"object"}}}`),
		Annotations: Annotations{Destructive: true, OpenWorld: true},
		Gate:        GateCDP,
		Handler:     k.cdp,
	}
}

func (k *Kit) cdp(ctx context.Context, call *Call) (*Result, error) {
	args, timeout, err := parseCDP(call.Args)
	if err != nil {
		return nil, err
	}
	if err := call.Toolset.Methods.Check(call.Toolset.Name, args.Method); err != nil {
		return nil, err
	}
	t, err := existing(ctx, k.Directory, call, args.TaskID)
	if err != nil {
		return nil, err
	}
	if err := k.spend(call.Caller, t.Key().TaskID); err != nil {
		return nil, err
	}
	timed, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	to, err := k.route(timed, t, args)
	if err != nil {
		return nil, err
	}
	raw, err := to.send(timed, t, args.Method)
	if err != nil {
		err = k.Redact.Fault(to.interrupted(timed, t, args.Method, err))
		if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
			return nil, fault.Wrap(err, fault.Timeout, "%s was sent and not answered in %s. It may still be carried out; look before you repeat it.",
				args.Method, timeout)
		}
		return nil, err
	}
	clean, n := k.Redact.Result(args.Method, raw)
	reply := cdpReply{
		Success: true, TaskID: t.Key().TaskID, Method: args.Method,
		SessionID: to.session, FrameID: args.FrameID, Result: clean, Redacted: n,
	}
	if s := t.Snapshot(); len(s.Pending) > 0 {
		reply.Pending = s.Pending
	}
	return &Result{Structured: reply, Untrusted: true, Ask: questions(t.Snapshot())}, nil
}

// parseCDP checks everything that can be checked before anything is sent.
func parseCDP(raw json.RawMessage) (args *cdpArgs, timeout time.Duration, err error) {
	args = new(cdpArgs)
	if err := decode(raw, args); err != nil {
		return nil, 0, err
	}
	if !methodName.MatchString(args.Method) {
		return nil, 0, fault.New(fault.InvalidArgument, "method must be Domain.method, like Runtime.evaluate, not %q.", args.Method).
			With("argument", "method")
	}
	switch trimmed := bytes.TrimSpace(args.Params); {
	case len(trimmed) == 0 || string(trimmed) == "null":
		args.Params = json.RawMessage("{}")
	case trimmed[0] != '{':
		return nil, 0, fault.New(fault.InvalidArgument, "params must be a JSON object.").With("argument", "params")
	}
	if args.FrameID != "" && args.TargetID != "" {
		return nil, 0, fault.New(fault.InvalidArgument, "Give frame_id or target_id, not both: a frame belongs to one target.").
			With("argument", "target_id")
	}
	timeout, err = timeoutOf(args.Timeout, defaultCDPTimeout)
	return args, timeout, err
}
