package sdktest

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"google.golang.org/protobuf/types/known/timestamppb"

	"cdphost/sdk"
	"cdphost/sdk/fault"
	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
	"cdphost/sdk/proto/wire"
)

// Decide asks the dialog policy.
func (r *Running) Decide(ctx context.Context, req sdk.DialogRequest) (sdk.Verdict, error) {
	v, err := pluginv1.NewDialogPolicyClient(r.conn).Decide(ctx, &pluginv1.DecideRequest{
		Policy: req.Policy, Task: task(req.Task), Dialog: dialog(req.Dialog), TopUrl: req.TopURL, FrameKind: string(req.FrameKind),
	})
	if err != nil {
		return sdk.Verdict{}, wire.FromStatus(err, "the plugin")
	}
	return sdk.Verdict{
		Do: sdk.Action(v.GetDo()), Text: v.Text, Timeout: v.GetTimeout().AsDuration(), Then: sdk.Action(v.GetThen()), Reason: v.GetReason(),
	}, nil
}

// Route asks the frame router.
func (r *Running) Route(ctx context.Context, req sdk.RouteRequest) (sdk.Route, error) {
	f := req.Frame
	out, err := pluginv1.NewFrameRouterClient(r.conn).Route(ctx, &pluginv1.RouteRequest{
		Task: task(req.Task),
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
func (r *Running) Recognise(ctx context.Context, e sdk.BridgeEvent) (*sdk.BridgedDialog, error) {
	out, err := pluginv1.NewDialogBridgeClient(r.conn).Recognise(ctx, &pluginv1.RecogniseRequest{
		Task: task(e.Task), SessionId: e.SessionID, TabId: e.TabID, Method: e.Method, Params: e.Params, Token: e.Token,
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
func (r *Running) Answer(ctx context.Context, a sdk.BridgeAnswer) ([]sdk.Command, error) {
	out, err := pluginv1.NewDialogBridgeClient(r.conn).Answer(ctx, &pluginv1.AnswerRequest{
		Task: task(a.Task), Dialog: dialog(a.Dialog), State: a.State, Accept: a.Accept, Text: a.Text,
	})
	if err != nil {
		return nil, wire.FromStatus(err, "the plugin")
	}
	return commands(out.GetCommands()), nil
}

// Guard asks the command guard. It returns the params to send, those of the
// request when the guard leaves them, or the refusal.
func (r *Running) Guard(ctx context.Context, req sdk.GuardRequest) (json.RawMessage, error) {
	out, err := pluginv1.NewCommandGuardClient(r.conn).Validate(ctx, &pluginv1.CommandGuardValidateRequest{
		Task: task(req.Task), Command: command(req.Command), Facts: facts(req.Facts), Sender: req.Sender,
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
func (r *Running) Tools(ctx context.Context) ([]sdk.Tool, error) {
	out, err := pluginv1.NewToolProviderClient(r.conn).Tools(ctx, &pluginv1.ToolsRequest{})
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
func (r *Running) CallTool(ctx context.Context, call sdk.ToolCall) (sdk.ToolResult, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := pluginv1.NewToolProviderClient(r.conn).CallTool(ctx, &pluginv1.CallToolRequest{
		Task: task(call.Task), Name: call.Name, Arguments: call.Arguments,
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
func (r *Running) Deliver(ctx context.Context, dropped uint64, events ...sdk.Event) error {
	stream, err := pluginv1.NewEventSubscriberClient(r.conn).Deliver(ctx)
	if err != nil {
		return wire.FromStatus(err, "the plugin")
	}
	batch := &pluginv1.DeliverRequest{Dropped: dropped}
	for _, e := range events {
		batch.Events = append(batch.Events, event(e))
	}
	// What goes wrong with Send is told by CloseAndRecv.
	_ = stream.Send(batch)
	_, err = stream.CloseAndRecv()
	return wire.FromStatus(err, "the plugin")
}

// Health asks whether the plugin is well.
func (r *Running) Health(ctx context.Context) error {
	out, err := pluginv1.NewPluginClient(r.conn).Health(ctx, &pluginv1.HealthRequest{})
	switch {
	case err != nil:
		return wire.FromStatus(err, "the plugin")
	case !out.GetOk():
		return errors.New(out.GetMessage())
	}
	return nil
}

func dialog(d sdk.Dialog) *pluginv1.Dialog {
	return &pluginv1.Dialog{
		Id: d.ID, Type: string(d.Type), Message: d.Message, MessageTruncated: d.MessageTruncated, DefaultPrompt: d.DefaultPrompt,
		Url: d.URL, FrameId: d.FrameID, TabId: d.TabID, SessionId: d.SessionID, OpenedAt: timestamppb.New(d.OpenedAt), Bridge: d.Bridge,
	}
}
