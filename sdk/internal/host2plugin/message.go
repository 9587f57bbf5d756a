package host2plugin

import (
	"google.golang.org/protobuf/types/known/timestamppb"

	"cdphost/sdk"
	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
)

// Task is the message of a task.
func Task(t sdk.Task) *pluginv1.Task { return &pluginv1.Task{Caller: t.Caller, Id: t.ID} }

// TaskFrom is the task of a message.
func TaskFrom(t *pluginv1.Task) sdk.Task { return sdk.Task{Caller: t.GetCaller(), ID: t.GetId()} }

// Command is the message of a command.
func Command(c sdk.Command) *pluginv1.Command {
	return &pluginv1.Command{SessionId: c.SessionID, Method: c.Method, Params: c.Params}
}

// Commands are the commands of messages.
func Commands(in []*pluginv1.Command) []sdk.Command {
	var out []sdk.Command
	for _, c := range in {
		out = append(out, sdk.Command{SessionID: c.GetSessionId(), Method: c.GetMethod(), Params: c.GetParams()})
	}
	return out
}

// Facts is the message of facts.
func Facts(f sdk.Facts) *pluginv1.Facts {
	return &pluginv1.Facts{
		Epoch: f.Epoch, SessionId: f.SessionID, TargetId: f.TargetID, TabId: f.TabID, FrameId: f.FrameID,
		LoaderId: f.LoaderID, Origin: f.Origin, Url: f.URL, Title: f.Title, DialogOpen: f.DialogOpen,
	}
}

// Event is the message of an event.
func Event(e sdk.Event) *pluginv1.Event {
	return &pluginv1.Event{
		Task: Task(e.Task), Seq: e.Seq, Time: timestamppb.New(e.Time),
		SessionId: e.SessionID, TabId: e.TabID, Method: e.Method, Params: e.Params,
	}
}

// BridgeSetup is the set-up of a message.
func BridgeSetup(in *pluginv1.BridgeSetup) *sdk.BridgeSetup {
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
			ScriptURL: c.GetScriptUrl(), Binding: c.GetBinding(), Release: Commands(c.GetRelease()),
		})
	}
	return out
}

// Dialog is the message of a dialog.
func Dialog(d sdk.Dialog) *pluginv1.Dialog {
	return &pluginv1.Dialog{
		Id: d.ID, Type: string(d.Type), Message: d.Message, MessageTruncated: d.MessageTruncated, DefaultPrompt: d.DefaultPrompt,
		Url: d.URL, FrameId: d.FrameID, TabId: d.TabID, SessionId: d.SessionID, OpenedAt: timestamppb.New(d.OpenedAt), Bridge: d.Bridge,
	}
}
