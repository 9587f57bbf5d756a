package frames

import (
	"context"
	"encoding/json"

	"cdphost/sdk"
	"cdphost/sdk/fault"
)

type router struct{ config Config }

// Route implements sdk.FrameRouter.
func (r router) Route(_ context.Context, req sdk.RouteRequest) (sdk.Route, error) {
	switch {
	case req.Frame.ID == "":
		return sdk.Route{}, fault.New(fault.FrameNotFound, "the frame is not known")
	case req.OwnSession != "":
		return sdk.Route{SessionID: req.OwnSession}, nil
	case req.Frame.Top && req.ProcessSession != "":
		return sdk.Route{SessionID: req.ProcessSession}, nil
	case req.Frame.OOPIF || req.Frame.Top:
		return sdk.Route{}, fault.New(fault.SessionNotFound,
			"frame %s has no session at the moment; take a new browser_snapshot and try again", req.Frame.ID)
	case r.config.SameProcess == SameProcessEvaluate && req.Method == "Runtime.evaluate":
		return r.evaluate(req)
	default:
		return sdk.Route{}, r.refusal(req)
	}
}

// evaluate places a Runtime.evaluate in the frame's own context, which Chrome
// refuses by itself once the document has gone.
func (r router) evaluate(req sdk.RouteRequest) (sdk.Route, error) {
	var params struct {
		ContextID       json.RawMessage `json:"contextId"`
		UniqueContextID json.RawMessage `json:"uniqueContextId"`
	}
	if len(req.Params) > 0 {
		if err := json.Unmarshal(req.Params, &params); err != nil {
			return sdk.Route{}, fault.New(fault.InvalidArgument, "params are not a JSON object")
		}
	}
	if params.ContextID != nil || params.UniqueContextID != nil {
		return sdk.Route{}, fault.New(fault.InvalidArgument,
			"give either frame_id or a context in params, not both")
	}
	if req.UniqueContextID == "" || req.ProcessSession == "" {
		return sdk.Route{}, fault.New(fault.FrameNotFound,
			"frame %s has no execution context at the moment; try again when it has loaded", req.Frame.ID)
	}
	return sdk.Route{SessionID: req.ProcessSession, UniqueContextID: req.UniqueContextID}, nil
}

func (r router) refusal(req sdk.RouteRequest) error {
	hint := "call browser_cdp without frame_id and reach into it from the top page with Runtime.evaluate: " +
		"document.querySelector('iframe').contentWindow or .contentDocument"
	if r.config.SameProcess == SameProcessEvaluate {
		hint = "only Runtime.evaluate can run in it by frame_id; for " + req.Method + " " + hint
	}
	return fault.New(fault.SameProcessFrame,
		"frame %s shares its parent's process and has no session of its own; %s", req.Frame.ID, hint).
		With("frame_id", req.Frame.ID).With("alternative", "contentWindow/contentDocument through Runtime.evaluate in the top page")
}
