package host2plugin

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"cdphost/sdk"
	"cdphost/sdk/fault"
	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
	"cdphost/sdk/proto/wire"
)

// Decide asks the dialog policy.
func (c *Client) Decide(ctx context.Context, req sdk.DialogRequest) (sdk.Verdict, error) {
	v, err := pluginv1.NewDialogPolicyClient(c.conn).Decide(ctx, &pluginv1.DecideRequest{
		Policy: req.Policy, Task: Task(req.Task), Dialog: Dialog(req.Dialog), TopUrl: req.TopURL, FrameKind: string(req.FrameKind),
	})
	if err != nil {
		return sdk.Verdict{}, wire.FromStatus(err, "the plugin")
	}
	return sdk.Verdict{
		Do: sdk.Action(v.GetDo()), Text: v.Text, Timeout: v.GetTimeout().AsDuration(), Then: sdk.Action(v.GetThen()), Reason: v.GetReason(),
	}, nil
}

// Route asks the frame router.
func (c *Client) Route(ctx context.Context, req sdk.RouteRequest) (sdk.Route, error) {
	f := req.Frame
	out, err := pluginv1.NewFrameRouterClient(c.conn).Route(ctx, &pluginv1.RouteRequest{
		Task: Task(req.Task),
		Frame: &pluginv1.Frame{
			Id: f.ID, ParentId: f.ParentID, Url: f.URL, Origin: f.Origin, LoaderId: f.LoaderID, Name: f.Name, Oopif: f.OOPIF, Top: f.Top,
		},
		OwnSession: req.OwnSession, ProcessSession: req.ProcessSession, UniqueContextId: req.UniqueContextID,
		Method: req.Method, Params: req.Params,
	})
	if err != nil {
		return sdk.Route{}, wire.FromStatus(err, "the plugin")
	}
	return sdk.Route{SessionID: out.GetSessionId(), UniqueContextID: out.GetUniqueContextId()}, nil
}

// Recognise shows the dialog bridge a claimed event.
func (c *Client) Recognise(ctx context.Context, e sdk.BridgeEvent) (*sdk.BridgedDialog, error) {
	out, err := pluginv1.NewDialogBridgeClient(c.conn).Recognise(ctx, &pluginv1.RecogniseRequest{
		Task: Task(e.Task), SessionId: e.SessionID, TabId: e.TabID, Method: e.Method, Params: e.Params, Token: e.Token,
	})
	if err != nil || out.GetDialog() == nil {
		return nil, wire.FromStatus(err, "the plugin")
	}
	d := out.GetDialog()
	return &sdk.BridgedDialog{
		Type: sdk.DialogType(d.GetType()), Message: d.GetMessage(), DefaultPrompt: d.GetDefaultPrompt(),
		FrameID: d.GetFrameId(), URL: d.GetUrl(), State: d.GetState(),
	}, nil
}

// Answer asks the dialog bridge for the commands of an answer.
func (c *Client) Answer(ctx context.Context, a sdk.BridgeAnswer) ([]sdk.Command, error) {
	out, err := pluginv1.NewDialogBridgeClient(c.conn).Answer(ctx, &pluginv1.AnswerRequest{
		Task: Task(a.Task), Dialog: Dialog(a.Dialog), State: a.State, Accept: a.Accept, Text: a.Text,
	})
	if err != nil {
		return nil, wire.FromStatus(err, "the plugin")
	}
	return Commands(out.GetCommands()), nil
}

// Guard asks the command guard. It returns the params to send, those of the
// request when the guard leaves them, or the refusal.
func (c *Client) Guard(ctx context.Context, req sdk.GuardRequest) (json.RawMessage, error) {
	out, err := pluginv1.NewCommandGuardClient(c.conn).Validate(ctx, &pluginv1.CommandGuardValidateRequest{
		Task: Task(req.Task), Command: Command(req.Command), Facts: Facts(req.Facts), Sender: req.Sender,
	})
	switch v := out.GetVerdict().(type) {
	case *pluginv1.CommandGuardValidateResponse_Deny:
		return nil, fault.New(fault.Denied, "%s", v.Deny.GetReason())
	case *pluginv1.CommandGuardValidateResponse_Rewrite:
		return v.Rewrite.GetParams(), nil
	}
	return req.Command.Params, wire.FromStatus(err, "the plugin")
}

// Tools lists the tools.
func (c *Client) Tools(ctx context.Context) ([]sdk.Tool, error) {
	out, err := pluginv1.NewToolProviderClient(c.conn).Tools(ctx, &pluginv1.ToolsRequest{})
	if err != nil {
		return nil, wire.FromStatus(err, "the plugin")
	}
	tools := make([]sdk.Tool, len(out.GetTools()))
	for i, t := range out.GetTools() {
		tools[i] = sdk.Tool{
			Name: t.GetName(), Title: t.GetTitle(), Description: t.GetDescription(),
			InputSchema: t.GetInputSchema(), OutputSchema: t.GetOutputSchema(),
			ReadOnly: t.GetReadOnly(), Destructive: t.GetDestructive(), Idempotent: t.GetIdempotent(), OpenWorld: t.GetOpenWorld(),
		}
	}
	return tools, nil
}

// CallTool runs a tool. ToolResult.Structured is a json.RawMessage, nil when there
// is none.
func (c *Client) CallTool(ctx context.Context, call sdk.ToolCall) (sdk.ToolResult, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := pluginv1.NewToolProviderClient(c.conn).CallTool(ctx, &pluginv1.CallToolRequest{
		Task: Task(call.Task), Name: call.Name, Arguments: call.Arguments,
	})
	if err != nil {
		return sdk.ToolResult{}, wire.FromStatus(err, "the plugin")
	}
	for {
		step, err := stream.Recv()
		switch {
		case errors.Is(err, io.EOF):
			return sdk.ToolResult{}, fault.New(fault.InternalError, "tool %s ended without a result", call.Name)
		case err != nil:
			return sdk.ToolResult{}, wire.FromStatus(err, "the plugin")
		}
		if p := step.GetProgress(); p != nil && call.Progress != nil {
			call.Progress(p.GetDone(), p.GetTotal(), p.GetMessage())
		}
		if res := step.GetResult(); res != nil {
			out := sdk.ToolResult{Text: res.GetText(), IsError: res.GetIsError()}
			if len(res.GetStructured()) > 0 {
				out.Structured = json.RawMessage(res.GetStructured())
			}
			for _, i := range res.GetImages() {
				out.Images = append(out.Images, sdk.Image{MIMEType: i.GetMimeType(), Data: i.GetData()})
			}
			return out, nil
		}
	}
}

// Deliver gives the event subscriber one batch and returns when it has been
// taken.
func (c *Client) Deliver(ctx context.Context, dropped uint64, events ...sdk.Event) error {
	stream, err := pluginv1.NewEventSubscriberClient(c.conn).Deliver(ctx)
	if err != nil {
		return wire.FromStatus(err, "the plugin")
	}
	batch := &pluginv1.DeliverRequest{Dropped: dropped}
	for _, e := range events {
		batch.Events = append(batch.Events, Event(e))
	}
	// What goes wrong with Send is told by CloseAndRecv.
	_ = stream.Send(batch)
	_, err = stream.CloseAndRecv()
	return wire.FromStatus(err, "the plugin")
}

// Health asks whether the plugin is well.
func (c *Client) Health(ctx context.Context) error {
	out, err := pluginv1.NewPluginClient(c.conn).Health(ctx, &pluginv1.HealthRequest{})
	switch {
	case err != nil:
		return wire.FromStatus(err, "the plugin")
	case !out.GetOk():
		return errors.New(out.GetMessage())
	}
	return nil
}

// ToolCalls is how many calls of its tools the plugin runs. A call counts until it
// has returned, whether anybody still waits for it or not.
func (c *Client) ToolCalls(ctx context.Context) (int, error) {
	out, err := pluginv1.NewPluginClient(c.conn).Health(ctx, &pluginv1.HealthRequest{})
	return int(out.GetToolCalls()), wire.FromStatus(err, "the plugin")
}
