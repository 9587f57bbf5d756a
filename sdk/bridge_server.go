package sdk

import (
	"context"

	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
)

type dialogBridgeServer struct {
	pluginv1.UnimplementedDialogBridgeServer
	srv *server
}

// Recognise implements pluginv1.DialogBridgeServer.
func (s dialogBridgeServer) Recognise(ctx context.Context, req *pluginv1.RecogniseRequest) (*pluginv1.RecogniseResponse, error) {
	h, err := s.srv.configured()
	if err != nil {
		return nil, err
	}
	d, err := h.DialogBridge.Recognise(ctx, BridgeEvent{
		Task: taskFrom(req.GetTask()), SessionID: req.GetSessionId(), TabID: req.GetTabId(),
		Method: req.GetMethod(), Params: req.GetParams(), Token: req.GetToken(),
	})
	if err != nil || d == nil {
		return &pluginv1.RecogniseResponse{}, err
	}
	return &pluginv1.RecogniseResponse{Dialog: &pluginv1.BridgedDialog{
		Type: string(d.Type), Message: d.Message, DefaultPrompt: d.DefaultPrompt,
		FrameId: d.FrameID, Url: d.URL, State: d.State,
	}}, nil
}

// Answer implements pluginv1.DialogBridgeServer.
func (s dialogBridgeServer) Answer(ctx context.Context, req *pluginv1.AnswerRequest) (*pluginv1.AnswerResponse, error) {
	h, err := s.srv.configured()
	if err != nil {
		return nil, err
	}
	commands, err := h.DialogBridge.Answer(ctx, BridgeAnswer{
		Task: taskFrom(req.GetTask()), Dialog: dialogFrom(req.GetDialog()), State: req.GetState(),
		Accept: req.GetAccept(), Text: req.Text,
	})
	if err != nil {
		return nil, err
	}
	return &pluginv1.AnswerResponse{Commands: commandsWire(commands)}, nil
}

func commandsWire(commands []Command) []*pluginv1.Command {
	out := make([]*pluginv1.Command, len(commands))
	for i, c := range commands {
		out[i] = c.wire()
	}
	return out
}

func (b BridgeSetup) wire() *pluginv1.BridgeSetup {
	out := &pluginv1.BridgeSetup{Bindings: b.Bindings, BypassCsp: b.BypassCSP}
	for _, s := range b.InitScripts {
		out.InitScripts = append(out.InitScripts, &pluginv1.InitScript{
			Source: s.Source, WorldName: s.WorldName, RunImmediately: s.RunImmediately,
		})
	}
	for _, p := range b.FetchPatterns {
		out.FetchPatterns = append(out.FetchPatterns, &pluginv1.FetchPattern{
			UrlPattern: p.URLPattern, ResourceType: p.ResourceType, RequestStage: p.RequestStage,
		})
	}
	if d := b.Debugger; d != nil {
		out.Debugger = &pluginv1.DebuggerSettings{BlackboxPatterns: d.BlackboxPatterns, SkipAnonymous: d.SkipAnonymous}
	}
	for _, c := range b.Claims {
		out.Claims = append(out.Claims, &pluginv1.Claim{
			Method: c.Method, UrlPrefix: c.URLPrefix, FunctionName: c.FunctionName,
			ScriptUrl: c.ScriptURL, Binding: c.Binding, Release: commandsWire(c.Release),
		})
	}
	return out
}
