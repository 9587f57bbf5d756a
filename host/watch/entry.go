package watch

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/url"
	"time"

	"cdphost/host/capture"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// entry is one line of the audit log. Digests are SHA-256 in hexadecimal.
type entry struct {
	Time time.Time `json:"time"`
	// Seq grows by one from line to line of one run of the host.
	Seq uint64 `json:"seq"`
	// Kind is tool, operator, cdp, dialog_opened, dialog_decided, dialog_closed,
	// config, plugin_restarted or dropped.
	Kind string `json:"kind"`
	// Config is the version of the configuration in force.
	Config string `json:"config,omitempty"`

	Caller  string `json:"caller,omitempty"`
	TaskID  string `json:"task_id,omitempty"`
	Toolset string `json:"toolset,omitempty"`
	Tool    string `json:"tool,omitempty"`
	// By is operator for a tool call that came over the control socket; Caller is
	// then whom it was made for.
	By string `json:"by,omitempty"`
	// Request is an operator's.
	Request string `json:"request,omitempty"`
	Args    string `json:"args_sha256,omitempty"`
	Millis  int64  `json:"ms,omitempty"`

	Sender     string `json:"sender,omitempty"`
	Method     string `json:"method,omitempty"`
	SessionID  string `json:"session_id,omitempty"`
	Params     string `json:"params_sha256,omitempty"`
	Reply      string `json:"reply_sha256,omitempty"`
	ReplyBytes int    `json:"reply_bytes,omitempty"`
	// Guards were asked; DeniedBy is the one that refused.
	Guards   []string `json:"guards,omitempty"`
	DeniedBy string   `json:"denied_by,omitempty"`

	Dialog *dialogEntry `json:"dialog,omitempty"`
	Policy string       `json:"policy,omitempty"`
	Plugin string       `json:"plugin,omitempty"`
	Do     string       `json:"do,omitempty"`
	Reason string       `json:"reason,omitempty"`

	Changes []string `json:"changes,omitempty"`
	// Count is how many entries were lost before this one.
	Count uint64 `json:"count,omitempty"`
	// Code is the error's.
	Code string `json:"code,omitempty"`
}

type dialogEntry struct {
	ID       string `json:"id"`
	Type     string `json:"type,omitempty"`
	TabID    string `json:"tab_id,omitempty"`
	Origin   string `json:"origin,omitempty"`
	ClosedBy string `json:"closed_by,omitempty"`
	Action   string `json:"action,omitempty"`
	// Count is the dialog's number in a flood that the breaker dismisses.
	Count int `json:"count,omitempty"`
}

func (e *entry) toolCall(c *ToolCall) {
	e.Kind, e.Caller, e.Toolset, e.Tool, e.By = "tool", c.Caller, c.Toolset, c.Tool, c.By
	e.Args, e.Code, e.Millis = digest(c.Args), c.Code, c.Duration.Milliseconds()
	e.TaskID = named(c.Args).TaskID
}

func (e *entry) operator(r *OperatorRequest) {
	e.Kind, e.Request, e.Args, e.Code, e.Millis = "operator", r.Request, digest(r.Args), r.Code, r.Duration.Milliseconds()
	a := named(r.Args)
	e.Caller, e.TaskID = a.Caller, a.TaskID
	if a.DialogID != "" {
		e.Dialog = &dialogEntry{ID: a.DialogID, Action: a.Action}
	}
}

// about is what arguments say they are about.
type about struct {
	Caller   string `json:"caller"`
	TaskID   string `json:"task_id"`
	DialogID string `json:"dialog_id"`
	Action   string `json:"action"`
}

func named(args []byte) about {
	var a about
	if json.Unmarshal(args, &a) != nil {
		return about{} // refused as they were
	}
	return a
}

func (e *entry) command(r *capture.Record) {
	e.Kind, e.Caller, e.TaskID, e.Sender = "cdp", r.Task.Caller, r.Task.TaskID, r.Sender
	e.Method, e.SessionID, e.Params = r.Command.Method, r.Command.SessionID, digest(r.Command.Params)
	e.Guards = r.Guards
	if r.Err == nil {
		e.Reply, e.ReplyBytes = digest(r.Reply), len(r.Reply)
		return
	}
	e.Code = string(fault.CodeOf(r.Err))
	if f, ok := errors.AsType[*fault.Error](r.Err); ok {
		e.DeniedBy, _ = f.Details["guard"].(string)
	}
}

// dialogParams are the params of the three dialog events.
type dialogParams struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	TabID    string `json:"tab_id"`
	URL      string `json:"url"`
	ClosedBy string `json:"closed_by"`
	Action   string `json:"action"`
	Reason   string `json:"reason"`
	Count    int    `json:"count"`
	Policy   string `json:"policy"`
	Do       string `json:"do"`
}

func readDialog(params []byte) *dialogParams {
	d := new(dialogParams)
	_ = json.Unmarshal(params, d) // the supervisor wrote it
	return d
}

var dialogKinds = map[string]string{
	supervisor.HostDialogOpened:  "dialog_opened",
	supervisor.HostDialogDecided: "dialog_decided",
	supervisor.HostDialogClosed:  "dialog_closed",
}

func (e *entry) dialog(ev *supervisor.Event, d *dialogParams, pluginOf func(string) string) {
	e.Kind, e.Caller, e.TaskID = dialogKinds[ev.Method], ev.Task.Caller, ev.Task.TaskID
	e.Dialog = &dialogEntry{
		ID: d.ID, Type: d.Type, TabID: d.TabID, Origin: originOf(d.URL), ClosedBy: d.ClosedBy, Action: d.Action, Count: d.Count,
	}
	e.Policy, e.Do, e.Reason = d.Policy, d.Do, d.Reason
	if d.Policy != "" && pluginOf != nil {
		e.Plugin = pluginOf(d.Policy)
	}
}

// originOf is what of a URL is no secret of the page's.
func originOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme == "" {
		return ""
	}
	if u.Host == "" {
		return u.Scheme + ":"
	}
	return u.Scheme + "://" + u.Host
}

func digest(data []byte) string {
	if len(data) == 0 {
		return ""
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
