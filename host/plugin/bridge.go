package plugin

import (
	"context"
	"time"

	"cdphost/host/cdp"
	"cdphost/host/dialog"
	"cdphost/host/supervisor"
	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
)

// bridgeTimeout is how long a page waits for its bridge.
const bridgeTimeout = 2 * time.Second

// BridgeSetup is what a bridge declares when it is configured.
type BridgeSetup = supervisor.BridgeSetup

// Bridge is a dialog bridge. It stays valid across restarts and swaps.
type Bridge struct {
	m    *Manager
	name string
}

// Bridge returns the bridge that the plugin of a name is.
func (m *Manager) Bridge(name string) *Bridge { return &Bridge{m: m, name: name} }

var _ supervisor.Bridge = (*Bridge)(nil)

// Name implements supervisor.Bridge.
func (b *Bridge) Name() string { return b.name }

// Setup returns what the bridge declared when it was configured, also while its
// process is down.
func (b *Bridge) Setup() (BridgeSetup, error) {
	u, err := b.find()
	if err != nil {
		return BridgeSetup{}, err
	}
	return *u.bridge, nil
}

// Recognise returns the dialog that a claimed event is, nil when it is none.
func (b *Bridge) Recognise(ctx context.Context, e supervisor.BridgeEvent) (*supervisor.BridgedDialog, error) {
	in := &pluginv1.RecogniseRequest{
		Task: task(e.Task), SessionId: e.SessionID, TabId: e.TabID, Method: e.Method, Params: e.Params, Token: e.Token,
	}
	out, err := invoke(ctx, b.find, b.invocation(),
		func(ctx context.Context, g *generation) (*pluginv1.RecogniseResponse, error) {
			return g.bridgeHook.Recognise(ctx, in)
		})
	if err != nil || out.GetDialog() == nil {
		return nil, err
	}
	d := out.GetDialog()
	return &supervisor.BridgedDialog{
		Type: dialog.Type(d.GetType()), Message: d.GetMessage(), DefaultPrompt: d.GetDefaultPrompt(),
		FrameID: d.GetFrameId(), URL: d.GetUrl(), State: d.GetState(),
	}, nil
}

// Answer returns the commands that carry an answer into the page, to be sent in
// order, each awaited.
func (b *Bridge) Answer(ctx context.Context, a supervisor.BridgeAnswer) ([]cdp.Command, error) {
	in := &pluginv1.AnswerRequest{
		Task: task(a.Task), Dialog: dialogMessage(&a.Dialog), State: a.Dialog.BridgeState, Accept: a.Accept, Text: a.Text,
	}
	out, err := invoke(ctx, b.find, b.invocation(),
		func(ctx context.Context, g *generation) (*pluginv1.AnswerResponse, error) {
			return g.bridgeHook.Answer(ctx, in)
		})
	if err != nil {
		return nil, err
	}
	return commandsFrom(out.GetCommands()), nil
}

func (b *Bridge) find() (*unit, error) { return b.m.table.Load().unit(b.name, hookBridge) }

func (b *Bridge) invocation() invocation {
	return invocation{hook: hookBridge, timeout: b.m.timeout(b.name, bridgeTimeout), soft: softHook, again: true}
}

func commandsFrom(in []*pluginv1.Command) []cdp.Command {
	out := make([]cdp.Command, len(in))
	for i, c := range in {
		out[i] = commandFrom(c)
	}
	return out
}

func bridgeSetup(in *pluginv1.BridgeSetup) *BridgeSetup {
	out := &BridgeSetup{Bindings: in.GetBindings(), BypassCSP: in.GetBypassCsp()}
	for _, s := range in.GetInitScripts() {
		out.InitScripts = append(out.InitScripts, supervisor.InitScript{
			Source: s.GetSource(), WorldName: s.GetWorldName(), RunImmediately: s.GetRunImmediately(),
		})
	}
	for _, p := range in.GetFetchPatterns() {
		out.FetchPatterns = append(out.FetchPatterns, supervisor.FetchPattern{
			URLPattern: p.GetUrlPattern(), ResourceType: p.GetResourceType(), RequestStage: p.GetRequestStage(),
		})
	}
	if d := in.GetDebugger(); d != nil {
		out.Debugger = &supervisor.DebuggerSettings{BlackboxPatterns: d.GetBlackboxPatterns(), SkipAnonymous: d.GetSkipAnonymous()}
	}
	for _, c := range in.GetClaims() {
		out.Claims = append(out.Claims, supervisor.Claim{
			Method: c.GetMethod(), URLPrefix: c.GetUrlPrefix(), FunctionName: c.GetFunctionName(),
			ScriptURL: c.GetScriptUrl(), Binding: c.GetBinding(), Release: commandsFrom(c.GetRelease()),
		})
	}
	return out
}
