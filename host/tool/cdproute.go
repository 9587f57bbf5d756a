package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"cdphost/host/capture"
	"cdphost/host/frame"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// destination is where a command of browser_cdp goes.
type destination struct {
	// tabID is "" for the browser itself.
	tabID   string
	session string
	params  json.RawMessage
	// frame is what the command acts in, as it was when the destination was found;
	// its ID is "" for the browser itself.
	frame frame.Frame
}

// onPage is the destination of a command for a whole page.
func onPage(p *supervisor.Page, params json.RawMessage) *destination {
	return &destination{tabID: p.TabID, session: p.SessionID, params: params, frame: p.Frames.Top()}
}

// browserDomains are answered by the browser, not by a page.
var browserDomains = []string{"Browser.", "Target.", "SystemInfo.", "Tethering."}

// whileBlocked are the methods that a page answers while a native dialog holds
// it, because its own process has no part in them.
var whileBlocked = map[string]bool{
	"Page.getNavigationHistory": true, "Page.handleJavaScriptDialog": true, "Page.bringToFront": true,
	"Page.stopLoading": true, "Page.navigate": true, "Page.reload": true, "Page.close": true,
	"Fetch.enable": true, "Fetch.disable": true, "Network.getCookies": true, "Storage.getCookies": true,
}

// route finds the destination. A frame that can't be reached by itself is an
// error; a command for it never goes to the top page instead.
func (k *Kit) route(ctx context.Context, t Task, args *cdpArgs) (*destination, error) {
	s := t.Snapshot()
	if !s.Connected {
		return nil, fault.New(fault.BrowserGone, "The browser's connection is down and being made anew. Try again in a moment; nothing was sent.")
	}
	switch {
	case args.FrameID != "":
		return k.routeFrame(ctx, s, args)
	case args.TargetID != "":
		p, err := pageByTarget(s, args.TargetID)
		if err != nil {
			return nil, err
		}
		return onPage(p, args.Params), nil
	}
	for _, domain := range browserDomains {
		if strings.HasPrefix(args.Method, domain) {
			return &destination{params: args.Params}, nil
		}
	}
	p, err := pageOf(s, "")
	if err != nil {
		return nil, err
	}
	return onPage(p, args.Params), nil
}

func pageByTarget(s *supervisor.Snapshot, id string) (*supervisor.Page, error) {
	if p, ok := s.PageByTarget(id); ok {
		return p, nil
	}
	if p, ok := s.Page(id); ok {
		return p, nil
	}
	known := make([]string, 0, len(s.Pages))
	for _, p := range s.Pages {
		known = append(known, fmt.Sprintf("%s (%s)", p.TargetID, p.TabID))
	}
	return nil, fault.New(fault.TabNotFound, "The task has no target %q. Its pages: %s. A frame is named with frame_id.",
		id, strings.Join(known, ", ")).With("targets", known)
}

func (k *Kit) routeFrame(ctx context.Context, s *supervisor.Snapshot, args *cdpArgs) (*destination, error) {
	p, f, ok := s.Frame(args.FrameID)
	if !ok {
		return nil, unknownFrame(s, args.FrameID)
	}
	if f.Crashed && !f.Top {
		return nil, fault.New(fault.NavigationFailed, "The frame %s has crashed, so nothing was sent. Reload the page %s, or the frame from its parent.", f.ID, p.TabID).
			With("frame_id", f.ID).With("frame_url", clipURL(f.URL))
	}
	process, _ := p.Frames.SessionOf(f.ID)
	req := capture.RouteRequest{
		Task: s.Task, Frame: f, OwnSession: f.SessionID, ProcessSession: process,
		UniqueContextID: f.DefaultContext, Method: args.Method, Params: args.Params,
	}
	route, err := k.Router.Route(ctx, req)
	if err != nil {
		return nil, frameFault(err, f)
	}
	params, err := placed(&req, route)
	if err != nil {
		return nil, frameFault(err, f)
	}
	return &destination{tabID: p.TabID, session: route.SessionID, params: params, frame: f}, nil
}

// placed returns the params of a command that runs where route says. A router that
// says anything else than the frame itself is not followed: its own session, or its
// own execution context in the session of its process.
func placed(req *capture.RouteRequest, route capture.Route) (json.RawMessage, error) {
	switch {
	case route.SessionID == "":
	case route.SessionID == req.OwnSession && route.UniqueContextID == "":
		return req.Params, nil
	case route.SessionID == req.ProcessSession && route.UniqueContextID != "" &&
		route.UniqueContextID == req.UniqueContextID && req.Method == "Runtime.evaluate":
		return withContext(req.Params, route.UniqueContextID)
	}
	return nil, fault.New(fault.RouterUnavailable, "The frame router named a place that is not the frame %s, so nothing was sent. Use the top page's Runtime.evaluate.", req.Frame.ID)
}

// frameFault keeps a router's refusal; whatever else failed is the router's
// absence.
func frameFault(err error, f frame.Frame) error {
	e, ok := errors.AsType[*fault.Error](err)
	if !ok {
		e = fault.Wrap(err, fault.RouterUnavailable, "The frame router did not answer, so nothing was sent. Try again, or use the top page's Runtime.evaluate.")
	}
	return e.With("frame_id", f.ID).With("frame_url", clipURL(f.URL))
}

func unknownFrame(s *supervisor.Snapshot, id string) error {
	type entry struct {
		FrameID string `json:"frame_id"`
		URL     string `json:"url"`
		TabID   string `json:"tab_id"`
	}
	const listed = 30
	frames := []entry{}
	for _, p := range s.Pages {
		for f := range p.Frames.Frames() {
			if len(frames) < listed {
				frames = append(frames, entry{f.ID, clipURL(f.URL), p.TabID})
			}
		}
	}
	return fault.New(fault.FrameNotFound, "The task has no frame %q; it may have gone with a navigation. Take an id from frames, or from browser_snapshot.", id).
		With("frames", frames)
}

// withContext puts the execution context into the params of Runtime.evaluate. One
// that the caller named itself may be of any frame, so it can't go with a frame.
func withContext(params json.RawMessage, unique string) (json.RawMessage, error) {
	fields := make(map[string]json.RawMessage)
	if err := json.Unmarshal(params, &fields); err != nil {
		return nil, fault.Wrap(err, fault.InvalidArgument, "params must be a JSON object.").With("argument", "params")
	}
	for _, name := range []string{"uniqueContextId", "contextId"} {
		if _, given := fields[name]; given {
			return nil, fault.New(fault.InvalidArgument, "Give frame_id, or %s in params, not both.", name).With("argument", "params")
		}
	}
	name, err := json.Marshal(unique)
	if err != nil {
		return nil, err
	}
	fields["uniqueContextId"] = name
	return json.Marshal(fields)
}
