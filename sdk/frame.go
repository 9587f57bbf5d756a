package sdk

import (
	"context"
	"encoding/json"
)

// FrameRouter says on which session, and in which execution context, a command
// for a frame runs. A refusal is an error with a fault code that names the
// alternative (fault.SameProcessFrame, fault.FrameNotFound).
type FrameRouter interface {
	Route(ctx context.Context, req RouteRequest) (Route, error)
}

// FrameRouterFunc is a FrameRouter that is a function.
type FrameRouterFunc func(ctx context.Context, req RouteRequest) (Route, error)

// Route calls f.
func (f FrameRouterFunc) Route(ctx context.Context, req RouteRequest) (Route, error) {
	return f(ctx, req)
}

// Frame is a node of a page's frame tree.
type Frame struct {
	ID       string
	ParentID string
	URL      string
	Origin   string
	LoaderID string
	Name     string
	OOPIF    bool
	Top      bool
}

// RouteRequest is what a FrameRouter is asked.
type RouteRequest struct {
	Task  Task
	Frame Frame
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

// Route is a FrameRouter's answer.
type Route struct {
	SessionID string
	// UniqueContextID, when not empty, is put into the params of the
	// Runtime.evaluate that was asked for.
	UniqueContextID string
}
