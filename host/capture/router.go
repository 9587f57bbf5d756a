package capture

import (
	"context"
	"encoding/json"

	"cdphost/host/frame"
	"cdphost/host/supervisor"
)

// Router says on which session, and in which execution context, a command for a
// frame runs. It is asked outside every lock and never falls back to the top
// page: a frame it can't place is an error (fault.SameProcessFrame,
// fault.FrameNotFound, fault.RouterUnavailable).
type Router interface {
	Route(ctx context.Context, req RouteRequest) (Route, error)
}

// RouteRequest is what a Router is shown.
type RouteRequest struct {
	Task supervisor.Key
	// Frame is the frame that the command names.
	Frame frame.Frame
	// OwnSession is the session that the frame has of its own; "" for a frame
	// that lives in its parent's process.
	OwnSession string
	// ProcessSession is the session of the nearest ancestor that has one.
	ProcessSession string
	// UniqueContextID is the frame's default execution context
	// (Runtime.ExecutionContextDescription.uniqueId); "" when not known.
	UniqueContextID string
	Method          string
	Params          json.RawMessage
}

// Route is a Router's answer.
type Route struct {
	SessionID string
	// UniqueContextID, when not empty, is put into the params of the
	// Runtime.evaluate that was asked for.
	UniqueContextID string
}
