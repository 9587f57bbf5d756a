package sdk

import (
	"context"
	"encoding/json"
)

// DialogBridge turns something that a page does (a request, a pause, a call of a
// binding) into a dialog. The host replays Setup on every session, also while
// the plugin is down, and keeps claimed events until they are judged.
type DialogBridge interface {
	// Setup is read once, when the plugin is configured.
	Setup() BridgeSetup
	// Recognise returns the dialog that a claimed event is, or nil when it is not
	// the bridge's.
	Recognise(ctx context.Context, event BridgeEvent) (*BridgedDialog, error)
	// Answer returns the commands that carry an answer into the page. The host
	// sends them in order, each awaited.
	Answer(ctx context.Context, answer BridgeAnswer) ([]Command, error)
}

// BridgeSetup is what a bridge needs on every session. In every string {{token}}
// is replaced by a value that is random per session.
type BridgeSetup struct {
	InitScripts   []InitScript
	FetchPatterns []FetchPattern
	// Bindings are names for Runtime.addBinding.
	Bindings []string
	// Debugger, when not nil, asks for Debugger.enable.
	Debugger *DebuggerSettings
	// BypassCSP asks for Page.setBypassCSP.
	BypassCSP bool
	Claims    []Claim
}

// InitScript is a Page.addScriptToEvaluateOnNewDocument.
type InitScript struct {
	Source    string
	WorldName string
	// RunImmediately runs it in documents that exist already, too.
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

// Claim names events that are the bridge's.
type Claim struct {
	// Method is Fetch.requestPaused, Debugger.paused or Runtime.bindingCalled.
	Method string
	// URLPrefix is how the url of a paused request starts.
	URLPrefix string
	// FunctionName and ScriptURL (its sourceURL) are on top of a pause's stack.
	FunctionName string
	ScriptURL    string
	// Binding is the name of a called binding.
	Binding string
	// Release lets the page go on when the bridge can't answer: sent in order,
	// each awaited. In params {{event.PATH}} is that value of the event's params.
	Release []Command
}

// BridgeEvent is a claimed event.
type BridgeEvent struct {
	Task      Task
	SessionID string
	TabID     string
	Method    string
	Params    json.RawMessage
	// Token is the value of {{token}} on this session.
	Token string
}

// BridgedDialog is a dialog that a bridge recognised.
type BridgedDialog struct {
	Type          DialogType
	Message       string
	DefaultPrompt string
	FrameID       string
	URL           string
	// State is what Answer will need. The host keeps it.
	State []byte
}

// BridgeAnswer is an answer on its way into the page.
type BridgeAnswer struct {
	Task   Task
	Dialog Dialog
	State  []byte
	Accept bool
	// Text is for an accepted prompt.
	Text *string
}
