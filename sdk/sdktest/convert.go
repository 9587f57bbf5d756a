package sdktest

import (
	"google.golang.org/protobuf/types/known/timestamppb"

	"cdphost/sdk"
	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
)

func task(t sdk.Task) *pluginv1.Task { return &pluginv1.Task{Caller: t.Caller, Id: t.ID} }

func taskFrom(t *pluginv1.Task) sdk.Task { return sdk.Task{Caller: t.GetCaller(), ID: t.GetId()} }

func command(c sdk.Command) *pluginv1.Command {
	return &pluginv1.Command{SessionId: c.SessionID, Method: c.Method, Params: c.Params}
}

func commands(in []*pluginv1.Command) []sdk.Command {
	var out []sdk.Command
	for _, c := range in {
		out = append(out, sdk.Command{SessionID: c.GetSessionId(), Method: c.GetMethod(), Params: c.GetParams()})
	}
	return out
}

func facts(f sdk.Facts) *pluginv1.Facts {
	return &pluginv1.Facts{
		Epoch: f.Epoch, SessionId: f.SessionID, TargetId: f.TargetID, TabId: f.TabID, FrameId: f.FrameID,
		LoaderId: f.LoaderID, Origin: f.Origin, Url: f.URL, Title: f.Title, DialogOpen: f.DialogOpen,
	}
}

func event(e sdk.Event) *pluginv1.Event {
	return &pluginv1.Event{
		Task: task(e.Task), Seq: e.Seq, Time: timestamppb.New(e.Time),
		SessionId: e.SessionID, TabId: e.TabID, Method: e.Method, Params: e.Params,
	}
}

func bridgeSetup(in *pluginv1.BridgeSetup) *sdk.BridgeSetup {
	out := &sdk.BridgeSetup{Bindings: in.GetBindings(), BypassCSP: in.GetBypassCsp()}
	for _, s := range in.GetInitScripts() {
		out.InitScripts = append(out.InitScripts, sdk.InitScript{
			Source: s.GetSource(), WorldName: s.GetWorldName(), RunImmediately: s.GetRunImmediately(),
		})
	}
	for _, p := range in.GetFetchPatterns() {
		out.FetchPatterns = append(out.FetchPatterns, sdk.FetchPattern{
			URLPattern: p.GetUrlPattern(), ResourceType: p.GetResourceType(), RequestStage: p.GetRequestStage(),
		})
	}
	if d := in.GetDebugger(); d != nil {
		out.Debugger = &sdk.DebuggerSettings{BlackboxPatterns: d.GetBlackboxPatterns(), SkipAnonymous: d.GetSkipAnonymous()}
	}
	for _, c := range in.GetClaims() {
		out.Claims = append(out.Claims, sdk.Claim{
			Method: c.GetMethod(), URLPrefix: c.GetUrlPrefix(), FunctionName: c.GetFunctionName(),
			ScriptURL: c.GetScriptUrl(), Binding: c.GetBinding(), Release: commands(c.GetRelease()),
		})
	}
	return out
}
