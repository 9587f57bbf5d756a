package fault

// Code names what went wrong in a form that programs compare. Codes cross gRPC
// and MCP unchanged; each stands for one next step of the caller.
type Code string

// Error makes a Code usable as the target of errors.Is.
func (c Code) Error() string { return string(c) }

// Codes of tasks, pages and frames.
const (
	NoSupervisor      Code = "no_supervisor"
	TaskNotFound      Code = "task_not_found"
	TabNotFound       Code = "tab_not_found"
	SessionNotFound   Code = "session_not_found"
	FrameNotFound     Code = "frame_not_found"
	SameProcessFrame  Code = "same_process_frame"
	RouterUnavailable Code = "router_unavailable"
)

// Codes of dialogs.
const (
	NoDialog        Code = "no_dialog"
	DialogNotFound  Code = "dialog_not_found"
	DialogAmbiguous Code = "dialog_ambiguous"
	DialogClosed    Code = "dialog_closed"
	DialogOrphaned  Code = "dialog_orphaned"
	BlockedByDialog Code = "blocked_by_dialog"
)

// Codes of calls and permissions.
const (
	GateClosed      Code = "gate_closed"
	InvalidArgument Code = "invalid_argument"
	InvalidAction   Code = "invalid_action"
	CaptureInvalid  Code = "capture_invalid"
	NotYours        Code = "not_yours"
	NotGranted      Code = "not_granted"
	SchemeBlocked   Code = "scheme_blocked"
	DomainBlocked   Code = "domain_blocked"
	FactsChanged    Code = "facts_changed"
	Denied          Code = "denied"
	NotSent         Code = "not_sent"
	SentNoReply     Code = "sent_no_reply"
	CDPError        Code = "cdp_error"
	ReplyTooBig     Code = "reply_too_big"
	Timeout         Code = "timeout"
	Aborted         Code = "aborted"
)

// Codes of page actions.
const (
	NavigationFailed    Code = "navigation_failed"
	NavigationCancelled Code = "navigation_cancelled"
	EvaluateFailed      Code = "evaluate_failed"
	ElementNotFound     Code = "element_not_found"
	ElementStale        Code = "element_stale"
	ElementObscured     Code = "element_obscured"
)

// Codes of the surroundings: browser, endpoint, plugins, configuration.
const (
	BrowserGone         Code = "browser_gone"
	BrowserMissing      Code = "browser_missing"
	EndpointUnreachable Code = "endpoint_unreachable"
	EndpointNotCDP      Code = "endpoint_not_cdp"
	PluginUnavailable   Code = "plugin_unavailable"
	ConfigInvalid       Code = "config_invalid"
	Unsupported         Code = "unsupported"
	InternalError       Code = "internal_error"
)
