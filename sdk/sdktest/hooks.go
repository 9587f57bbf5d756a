package sdktest

import (
	"context"
	"encoding/json"

	"cdphost/sdk"
)

// Decide asks the dialog policy.
func (r *Running) Decide(ctx context.Context, req sdk.DialogRequest) (sdk.Verdict, error) {
	return r.plugin.Decide(ctx, req)
}

// Route asks the frame router.
func (r *Running) Route(ctx context.Context, req sdk.RouteRequest) (sdk.Route, error) {
	return r.plugin.Route(ctx, req)
}

// Recognise shows the dialog bridge a claimed event.
func (r *Running) Recognise(ctx context.Context, e sdk.BridgeEvent) (*sdk.BridgedDialog, error) {
	return r.plugin.Recognise(ctx, e)
}

// Answer asks the dialog bridge for the commands of an answer.
func (r *Running) Answer(ctx context.Context, a sdk.BridgeAnswer) ([]sdk.Command, error) {
	return r.plugin.Answer(ctx, a)
}

// Guard asks the command guard. It returns the params to send, those of the
// request when the guard leaves them, or the refusal.
func (r *Running) Guard(ctx context.Context, req sdk.GuardRequest) (json.RawMessage, error) {
	return r.plugin.Guard(ctx, req)
}

// Tools lists the tools.
func (r *Running) Tools(ctx context.Context) ([]sdk.Tool, error) { return r.plugin.Tools(ctx) }

// CallTool runs a tool. ToolResult.Structured is a json.RawMessage, nil when there
// is none.
func (r *Running) CallTool(ctx context.Context, call sdk.ToolCall) (sdk.ToolResult, error) {
	return r.plugin.CallTool(ctx, call)
}

// Deliver gives the event subscriber one batch and returns when it has been
// taken.
func (r *Running) Deliver(ctx context.Context, dropped uint64, events ...sdk.Event) error {
	return r.plugin.Deliver(ctx, dropped, events...)
}

// Health asks whether the plugin is well.
func (r *Running) Health(ctx context.Context) error { return r.plugin.Health(ctx) }
