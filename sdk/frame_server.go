package sdk

import (
	"context"

	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
)

type frameRouterServer struct {
	pluginv1.UnimplementedFrameRouterServer
	srv *server
}

// Route implements pluginv1.FrameRouterServer.
func (s frameRouterServer) Route(ctx context.Context, req *pluginv1.RouteRequest) (*pluginv1.RouteResponse, error) {
	h, err := s.srv.configured()
	if err != nil {
		return nil, err
	}
	f := req.GetFrame()
	r, err := h.FrameRouter.Route(ctx, RouteRequest{
		Task: taskFrom(req.GetTask()),
		Frame: Frame{
			ID: f.GetId(), ParentID: f.GetParentId(), URL: f.GetUrl(), Origin: f.GetOrigin(),
			LoaderID: f.GetLoaderId(), Name: f.GetName(), OOPIF: f.GetOopif(), Top: f.GetTop(),
		},
		OwnSession: req.GetOwnSession(), ProcessSession: req.GetProcessSession(),
		UniqueContextID: req.GetUniqueContextId(), Method: req.GetMethod(), Params: req.GetParams(),
	})
	if err != nil {
		return nil, err
	}
	return &pluginv1.RouteResponse{SessionId: r.SessionID, UniqueContextId: r.UniqueContextID}, nil
}
