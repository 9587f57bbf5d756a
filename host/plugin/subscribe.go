package plugin

import (
	"google.golang.org/grpc"

	"cdphost/host/supervisor"
	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
	"cdphost/sdk/proto/wire"
)

// Subscribe implements pluginv1.HostServer.
func (s *hostServer) Subscribe(req *pluginv1.SubscribeRequest, stream grpc.ServerStreamingServer[pluginv1.SubscribeResponse]) error {
	ctx := stream.Context()
	source, err := s.host.Subscribe(ctx, s.holder, keyFrom(req.GetTask()), EventFilter{
		Methods: req.GetFilter().GetMethods(), SessionID: req.GetSessionId(), TabID: req.GetTabId(),
	})
	if err != nil {
		return wire.ToStatus(crossing(err))
	}
	defer source.Close()
	if err := stream.SendHeader(nil); err != nil {
		return err
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-s.ctx.Done():
			return nil
		case e, ok := <-source.Events():
			if !ok {
				return nil
			}
			batch := collect(e, source)
			if err := stream.Send(batch); err != nil {
				return err
			}
		}
	}
}

// collect makes a batch of what is there.
func collect(first supervisor.Event, source EventSource) *pluginv1.SubscribeResponse {
	out := &pluginv1.SubscribeResponse{Events: []*pluginv1.Event{eventMessage(first)}}
	bytes := len(first.Params)
	for len(out.Events) < batchEvents && bytes < batchBytes {
		select {
		case e, ok := <-source.Events():
			if !ok {
				out.Dropped = source.Dropped()
				return out
			}
			bytes += len(e.Params)
			out.Events = append(out.Events, eventMessage(e))
			continue
		default:
		}
		break
	}
	out.Dropped = source.Dropped()
	return out
}
