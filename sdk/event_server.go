package sdk

import (
	"errors"
	"io"

	"google.golang.org/grpc"

	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
	"cdphost/sdk/proto/wire"
)

type eventSubscriberServer struct {
	pluginv1.UnimplementedEventSubscriberServer
	srv *server
}

// Deliver implements pluginv1.EventSubscriberServer.
func (s eventSubscriberServer) Deliver(stream grpc.ClientStreamingServer[pluginv1.DeliverRequest, pluginv1.DeliverResponse]) error {
	h, err := s.srv.configured()
	if err != nil {
		return wire.ToStatus(err)
	}
	for {
		batch, err := stream.Recv()
		switch {
		case errors.Is(err, io.EOF):
			return stream.SendAndClose(&pluginv1.DeliverResponse{})
		case err != nil:
			return err
		}
		h.EventSubscriber.Deliver(stream.Context(), eventsFrom(batch.GetEvents()), batch.GetDropped())
	}
}

func eventsFrom(in []*pluginv1.Event) []Event {
	out := make([]Event, len(in))
	for i, e := range in {
		out[i] = Event{
			Task: taskFrom(e.GetTask()), Seq: e.GetSeq(), Time: e.GetTime().AsTime(),
			SessionID: e.GetSessionId(), TabID: e.GetTabId(), Method: e.GetMethod(), Params: e.GetParams(),
		}
	}
	return out
}
