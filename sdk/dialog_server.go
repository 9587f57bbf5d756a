package sdk

import (
	"context"

	"google.golang.org/protobuf/types/known/durationpb"

	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
)

type dialogPolicyServer struct {
	pluginv1.UnimplementedDialogPolicyServer
	srv *server
}

// Decide implements pluginv1.DialogPolicyServer.
func (s dialogPolicyServer) Decide(ctx context.Context, req *pluginv1.DecideRequest) (*pluginv1.DecideResponse, error) {
	h, err := s.srv.configured()
	if err != nil {
		return nil, err
	}
	v, err := h.DialogPolicy.Decide(ctx, DialogRequest{
		Policy: req.GetPolicy(), Task: taskFrom(req.GetTask()), Dialog: dialogFrom(req.GetDialog()),
		TopURL: req.GetTopUrl(), FrameKind: FrameKind(req.GetFrameKind()),
	})
	if err != nil {
		return nil, err
	}
	out := &pluginv1.DecideResponse{Do: string(v.Do), Text: v.Text, Then: string(v.Then), Reason: v.Reason}
	if v.Timeout > 0 {
		out.Timeout = durationpb.New(v.Timeout)
	}
	return out, nil
}

func dialogFrom(d *pluginv1.Dialog) Dialog {
	return Dialog{
		ID: d.GetId(), Type: DialogType(d.GetType()), Message: d.GetMessage(), MessageTruncated: d.GetMessageTruncated(),
		DefaultPrompt: d.GetDefaultPrompt(), URL: d.GetUrl(), FrameID: d.GetFrameId(), TabID: d.GetTabId(),
		SessionID: d.GetSessionId(), OpenedAt: d.GetOpenedAt().AsTime(), Bridge: d.GetBridge(),
	}
}
