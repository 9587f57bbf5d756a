package supervisor

import (
	"context"
	"encoding/json"
	"time"

	"cdphost/host/cdp"
	"cdphost/host/dialog"
)

// bridgePatience is how long a page waits for its bridge to recognise what it
// did, and a policy's answer for the bridge's commands, before the page is
// released. A killed plugin is back in a tenth of it.
const bridgePatience = 2 * time.Second

// Bridge turns something that a page does (a request, a pause, a call of a
// binding) into a dialog. Its process may be down at any time: what it declared
// is replayed all the same, and what it is asked ends with ctx.
//
// Recognise and Answer may be called from several goroutines at once.
type Bridge interface {
	// Name names the bridge in dialogs, errors and settings.
	Name() string
	// Setup returns what the bridge declared. It is called on the reader goroutine
	// and must not wait. An error means that there is no such bridge.
	Setup() (BridgeSetup, error)
	// Recognise returns the dialog that a claimed event is, nil when it is none.
	Recognise(ctx context.Context, event BridgeEvent) (*BridgedDialog, error)
	// Answer returns the commands that carry an answer into the page: sent in
	// order, each awaited. Without a session they go where the event came from.
	Answer(ctx context.Context, answer BridgeAnswer) ([]cdp.Command, error)
}

// BridgeSetup is what a bridge needs on every session before its page runs. In
// every string {{token}} stands for a value that is random per session.
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
	URLPattern   string `json:"urlPattern,omitempty"`
	ResourceType string `json:"resourceType,omitempty"`
	RequestStage string `json:"requestStage,omitempty"`
}

// DebuggerSettings are the arguments of Debugger.setBlackboxPatterns.
type DebuggerSettings struct {
	BlackboxPatterns []string `json:"patterns"`
	SkipAnonymous    bool     `json:"skipAnonymous,omitempty"`
}

// Claim names events that are the bridge's. One of a request or a binding counts
// only if it carries the session's token, which a page can't know; a pause counts
// only in the script that the bridge itself brought.
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
	Release []cdp.Command
}

// BridgeEvent is a claimed event.
type BridgeEvent struct {
	Task      Key
	SessionID string
	TabID     string
	Method    string
	Params    json.RawMessage
	// Token is the value of {{token}} on this session.
	Token string
}

// BridgedDialog is a dialog that a bridge recognised. What it leaves empty of
// FrameID and URL the host knows from the event.
type BridgedDialog struct {
	Type          dialog.Type
	Message       string
	DefaultPrompt string
	FrameID       string
	URL           string
	// State is what Answer will need.
	State []byte
}

// BridgeAnswer is an answer that a bridge carries into the page.
type BridgeAnswer struct {
	Task   Key
	Dialog dialog.Dialog
	Accept bool
	// Text is for an accepted prompt.
	Text *string
}
