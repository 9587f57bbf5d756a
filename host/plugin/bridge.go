package plugin

import (
	"context"
	"encoding/json"
	"time"

	"cdphost/host/cdp"
	"cdphost/host/dialog"
	"cdphost/host/supervisor"
	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
)

// bridgeTimeout is how long a page waits for its bridge.
const bridgeTimeout = 2 * time.Second

// BridgeSetup is what a bridge needs on every session; see the SDK's type of the
// same name. In every string {{token}} stands for a value that is random per
// session.
type BridgeSetup struct {
	InitScripts   []InitScript
	FetchPatterns []FetchPattern
	Bindings      []string
	Debugger      *DebuggerSettings
	BypassCSP     bool
	Claims        []Claim
}

// InitScript is a Page.addScriptToEvaluateOnNewDocument.
type InitScript struct {
	Source         string
	WorldName      string
	RunImmediately bool
}

// FetchPattern is a Fetch.RequestPattern.
type FetchPattern struct {
	URLPattern   string
	ResourceType string
	RequestStage string
}

// DebuggerSettings are the arguments of Debugger.setBlackboxPatterns.
type DebuggerSettings struct {
	BlackboxPatterns []string
	SkipAnonymous    bool
}

// Claim names events that are the bridge's, and what releases the page when the
// bridge can't answer. In the params of Release {{event.PATH}} is that value of
// the event's params.
type Claim struct {
	Method       string
	URLPrefix    string
	FunctionName string
	ScriptURL    string
	Binding      string
	Release      []cdp.Command
}

// BridgeEvent is a claimed event.
type BridgeEvent struct {
	Task      supervisor.Key
	SessionID string
	TabID     string
	Method    string
	Params    json.RawMessage
	Token     string
}

// BridgedDialog is a dialog that a bridge recognised.
type BridgedDialog struct {
	Type          dialog.Type
	Message       string
	DefaultPrompt string
	FrameID       string
	URL           string
	State         []byte
}

// BridgeAnswer is an answer that a bridge carries into the page.
type BridgeAnswer struct {
	Task   supervisor.Key
	Dialog dialog.Dialog
	Accept bool
	Text   *string
}

// Bridge is a dialog bridge. It stays valid across restarts and swaps.
type Bridge struct {
	m    *Manager
	name string
}

// Bridge returns the bridge that the plugin of a name is.
func (m *Manager) Bridge(name string) *Bridge { return &Bridge{m: m, name: name} }

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
func (b *Bridge) Recognise(ctx context.Context, e BridgeEvent) (*BridgedDialog, error) {
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
	return &BridgedDialog{
		Type: dialog.Type(d.GetType()), Message: d.GetMessage(), DefaultPrompt: d.GetDefaultPrompt(),
		FrameID: d.GetFrameId(), URL: d.GetUrl(), State: d.GetState(),
	}, nil
}

// Answer returns the commands that carry an answer into the page, to be sent in
// order, each awaited.
func (b *Bridge) Answer(ctx context.Context, a BridgeAnswer) ([]cdp.Command, error) {
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
	return invocation{timeout: b.m.timeout(b.name, bridgeTimeout), soft: softHook, again: true}
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
		out.InitScripts = append(out.InitScripts, InitScript{s.GetSource(), s.GetWorldName(), s.GetRunImmediately()})
	}
	for _, p := range in.GetFetchPatterns() {
		out.FetchPatterns = append(out.FetchPatterns, FetchPattern{p.GetUrlPattern(), p.GetResourceType(), p.GetRequestStage()})
	}
	if d := in.GetDebugger(); d != nil {
		out.Debugger = &DebuggerSettings{d.GetBlackboxPatterns(), d.GetSkipAnonymous()}
	}
	for _, c := range in.GetClaims() {
		out.Claims = append(out.Claims, Claim{
			Method: c.GetMethod(), URLPrefix: c.GetUrlPrefix(), FunctionName: c.GetFunctionName(),
			ScriptURL: c.GetScriptUrl(), Binding: c.GetBinding(), Release: commandsFrom(c.GetRelease()),
		})
	}
	return out
}
