package capture

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"cdphost/sdk/fault"
)

// browserLevel are the commands that a task may send to the browser itself while
// others share it: none of them reaches beyond what its params name.
var browserLevel = []string{
	"Target.getTargets", "Target.getTargetInfo", "Target.createTarget", "Target.closeTarget",
	"Target.attachToTarget", "Target.detachFromTarget", "Target.activateTarget",
	"Storage.*",
	"Browser.getVersion", "Browser.getWindowForTarget",
	"Browser.grantPermissions", "Browser.setPermission", "Browser.resetPermissions", "Browser.setDownloadBehavior", "Browser.cancelDownload",
	"SystemInfo.*", "IO.*", "Schema.getDomains",
}

// pageTarget are the Target commands that a task may send on its page sessions.
var pageTarget = []string{
	"Target.getTargets", "Target.getTargetInfo", "Target.createTarget", "Target.closeTarget",
	"Target.attachToTarget", "Target.detachFromTarget", "Target.activateTarget",
}

// never are refused everywhere: they end or blind what others rely on.
var never = map[string]string{
	"Browser.close":           "the browser is shared",
	"Browser.crash":           "the browser is shared",
	"Browser.crashGpuProcess": "the browser is shared",
	"Page.crash":              "a crash can take other tasks' pages along",
	"Page.disable":            "the host watches the page's dialogs and frames through it",
	"Runtime.disable":         "the host watches execution contexts through it",
	"Inspector.disable":       "the host watches crashes through it",
}

// own checks that a command names only what is the task's, and completes it
// where CDP would otherwise mean everybody's.
func (h *Handle) own(cmd *Command) error {
	domain, _, ok := strings.Cut(cmd.Method, ".")
	if !ok {
		return fault.New(fault.InvalidArgument, "%q is no CDP method: want Domain.method", cmd.Method)
	}
	if cmd.SessionID != "" && !h.sup.OwnsSession(cmd.SessionID) {
		return fault.New(fault.SessionNotFound, "the session %s is not one of this task's: its page or frame is gone, or it never was", cmd.SessionID)
	}
	if why := never[cmd.Method]; why != "" {
		return fault.New(fault.NotYours, "%s is refused: %s", cmd.Method, why)
	}
	shared := h.sup.Shared()
	switch {
	case cmd.SessionID == "" && shared && !matchAny(browserLevel, cmd.Method):
		return fault.New(fault.NotYours, "%s acts on the whole browser, which other tasks share; send it on a page's session, or set browser.isolation to browser", cmd.Method)
	case domain == "Target" && !slices.Contains(pageTarget, cmd.Method):
		return fault.New(fault.NotYours, "%s is the host's own: it would change what the host or other tasks see", cmd.Method)
	}
	if err := h.blocked(cmd); err != nil {
		return err
	}
	switch domain {
	case "Target", "Storage", "Browser":
		return h.ownIDs(cmd, domain)
	}
	return nil
}

// ownIDs checks the ids in the params of commands that can name others' targets,
// sessions and contexts.
func (h *Handle) ownIDs(cmd *Command, domain string) error {
	var p map[string]json.RawMessage
	if len(cmd.Params) > 0 {
		if err := json.Unmarshal(cmd.Params, &p); err != nil {
			return fault.New(fault.InvalidArgument, "the params of %s are not an object", cmd.Method)
		}
	}
	text := func(key string) string {
		var s string
		_ = json.Unmarshal(p[key], &s) // another type: Chrome refuses it itself
		return s
	}
	if id := text("targetId"); id != "" && !h.sup.OwnsTarget(id) {
		return fault.New(fault.NotYours, "the target %s is not this task's", id)
	}
	if id := text("sessionId"); id != "" && !h.sup.OwnsSession(id) {
		return fault.New(fault.NotYours, "the session %s is not this task's", id)
	}
	own := h.sup.ContextID()
	if id := text("browserContextId"); id != "" && id != own {
		return fault.New(fault.NotYours, "the browser context %s is not this task's", id)
	}
	if own != "" && p["browserContextId"] == nil && takesContext(cmd, domain) {
		if p == nil {
			p = map[string]json.RawMessage{}
		}
		p["browserContextId"], _ = json.Marshal(own)
		cmd.Params, _ = json.Marshal(p)
	}
	return nil
}

// takesContext reports whether a command means the default context, and so
// everybody's, unless it is told one.
func takesContext(cmd *Command, domain string) bool {
	switch cmd.Method {
	case "Target.createTarget", "Storage.getCookies", "Storage.setCookies", "Storage.clearCookies",
		"Browser.grantPermissions", "Browser.setPermission", "Browser.resetPermissions",
		"Browser.setDownloadBehavior", "Browser.cancelDownload":
		return domain == "Target" || domain == "Browser" || cmd.SessionID == ""
	}
	return false
}

// narrow takes from a result what is not the task's.
func (h *Handle) narrow(cmd *Command, result json.RawMessage) json.RawMessage {
	if cmd.Method != "Target.getTargets" {
		return result
	}
	var r struct {
		TargetInfos []json.RawMessage `json:"targetInfos"`
	}
	if json.Unmarshal(result, &r) != nil {
		return result
	}
	own := h.sup.ContextID()
	mine := r.TargetInfos[:0]
	for _, raw := range r.TargetInfos {
		var info struct {
			TargetID         string `json:"targetId"`
			BrowserContextID string `json:"browserContextId"`
		}
		if json.Unmarshal(raw, &info) != nil {
			continue
		}
		if h.sup.OwnsTarget(info.TargetID) || own != "" && info.BrowserContextID == own {
			mine = append(mine, raw)
		}
	}
	r.TargetInfos = mine
	out, err := json.Marshal(r)
	if err != nil {
		return result
	}
	return out
}

// prepare does what has to be done before some commands are sent.
func (h *Handle) prepare(ctx context.Context, cmd *Command) {
	switch cmd.Method {
	case "Target.closeTarget":
		var p struct {
			TargetID string `json:"targetId"`
		}
		if json.Unmarshal(cmd.Params, &p) == nil {
			h.sup.BeforeClose(ctx, p.TargetID)
		}
	case "Page.close":
		if t, ok := h.sup.TargetOf(cmd.SessionID); ok {
			h.sup.BeforeClose(ctx, t.PageID)
		}
	case "Page.navigate", "Page.reload", "Page.navigateToHistoryEntry":
		if t, ok := h.sup.TargetOf(cmd.SessionID); ok {
			h.sup.BeforeNavigate(t.PageID)
		}
	}
}
