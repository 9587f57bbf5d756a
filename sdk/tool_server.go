package sdk

import (
	"context"
	"encoding/json"
	"sync"

	"google.golang.org/grpc"

	"cdphost/sdk/fault"
	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
	"cdphost/sdk/proto/wire"
)

type toolProviderServer struct {
	pluginv1.UnimplementedToolProviderServer
	srv *server
}

// Tools implements pluginv1.ToolProviderServer.
func (s toolProviderServer) Tools(context.Context, *pluginv1.ToolsRequest) (*pluginv1.ToolsResponse, error) {
	h, err := s.srv.configured()
	if err != nil {
		return nil, err
	}
	out := &pluginv1.ToolsResponse{}
	for _, t := range h.ToolProvider.Tools() {
		out.Tools = append(out.Tools, &pluginv1.Tool{
			Name: t.Name, Title: t.Title, Description: t.Description,
			InputSchema: t.InputSchema, OutputSchema: t.OutputSchema,
			ReadOnly: t.ReadOnly, Destructive: t.Destructive, Idempotent: t.Idempotent, OpenWorld: t.OpenWorld,
		})
	}
	return out, nil
}

// CallTool implements pluginv1.ToolProviderServer.
func (s toolProviderServer) CallTool(req *pluginv1.CallToolRequest, stream grpc.ServerStreamingServer[pluginv1.CallToolResponse]) error {
	h, err := s.srv.configured()
	if err != nil {
		return wire.ToStatus(err)
	}
	s.srv.toolCalls.Add(1)
	defer s.srv.toolCalls.Add(-1)
	var mu sync.Mutex
	result, err := h.ToolProvider.CallTool(stream.Context(), ToolCall{
		Task: taskFrom(req.GetTask()), Name: req.GetName(), Arguments: req.GetArguments(),
		Progress: func(done, total float64, message string) {
			mu.Lock()
			defer mu.Unlock()
			_ = stream.Send(&pluginv1.CallToolResponse{Step: &pluginv1.CallToolResponse_Progress{
				Progress: &pluginv1.ToolProgress{Done: done, Total: total, Message: message},
			}})
		},
	})
	if err != nil {
		return wire.ToStatus(err)
	}
	out := &pluginv1.ToolResult{Text: result.Text, IsError: result.IsError}
	if result.Structured != nil {
		if out.Structured, err = json.Marshal(result.Structured); err != nil {
			return wire.ToStatus(fault.Wrap(err, fault.InternalError, "tool %s returned what JSON can't hold: %v", req.GetName(), err))
		}
	}
	for _, i := range result.Images {
		out.Images = append(out.Images, &pluginv1.ToolImage{MimeType: i.MIMEType, Data: i.Data})
	}
	mu.Lock()
	defer mu.Unlock()
	return stream.Send(&pluginv1.CallToolResponse{Step: &pluginv1.CallToolResponse_Result{Result: out}})
}
