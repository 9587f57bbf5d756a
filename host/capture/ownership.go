package capture

import (
	"context"
	"slices"
	"strings"

	"cdphost/sdk/fault"
)

// browserLevel are the commands that a task may send to the browser itself, or
// to its Browser domain on any session, while others share it: none of them
// reaches beyond what its params name.
var browserLevel = []string{
	"Target.getTargets", "Target.getTargetInfo", "Target.createTarget", "Target.closeTarget",
	"Target.attachToTarget", "Target.detachFromTarget", "Target.activateTarget",
	"Storage.*",
	"Browser.getVersion", "Browser.getWindowForTarget",
	"Browser.getWindowBounds", "Browser.setWindowBounds", "Browser.setContentsSize",
	"Browser.grantPermissions", "Browser.setPermission", "Browser.resetPermissions", "Browser.setDownloadBehavior", "Browser.cancelDownload",
	"SystemInfo.*", "Schema.getDomains",
}

// targetMethods are the commands of the Target domain that are not the host's own.
var targetMethods = []string{
	"Target.getTargets", "Target.getTargetInfo", "Target.createTarget", "Target.closeTarget",
	"Target.attachToTarget", "Target.detachFromTarget", "Target.activateTarget",
}

// wholeBrowser are domains that act on all of the browser, also on the session of
// a page.
var wholeBrowser = []string{"Extensions", "PWA", "Tethering"}

// windowMethods name a window, whose id says nothing of whose it is.
var windowMethods = []string{"Browser.getWindowBounds", "Browser.setWindowBounds", "Browser.setContentsSize"}

// never are refused everywhere: they end or blind what others rely on.
var never = map[string]string{
	"Browser.close":           "the host ends a browser with the last of its tasks",
	"Browser.crash":           "it would take every task of the browser along",
	"Browser.crashGpuProcess": "it would take every task of the browser along",
	"Page.crash":              "a crash can take other tasks' pages along",
	"Page.disable":            "the host watches the page's dialogs and frames through it",
	"Runtime.disable":         "the host watches execution contexts through it",
	"Inspector.disable":       "the host watches crashes through it",
}

// own checks that a command names only what is the task's, and completes it
// where CDP would otherwise mean everybody's.
func (h *Handle) own(ctx context.Context, cmd *Command) error {
	domain, name, _ := strings.Cut(cmd.Method, ".")
	if !isWord(domain) || !isWord(name) {
		return fault.New(fault.InvalidArgument, "%q is no CDP method: want Domain.method", cmd.Method)
	}
	if cmd.SessionID != "" && !h.sup.OwnsSession(cmd.SessionID) {
		return fault.New(fault.SessionNotFound, "the session %s is not one of this task's: its page or frame is gone, or it never was", cmd.SessionID)
	}
	if why := never[cmd.Method]; why != "" {
		return fault.New(fault.NotYours, "%s is refused: %s", cmd.Method, why).With("owner", hostName)
	}
	if domain == "Target" && !slices.Contains(targetMethods, cmd.Method) {
		return fault.New(fault.NotYours, "%s is the host's own: it would change what the host or other tasks see", cmd.Method).With("owner", hostName)
	}
	if h.sup.Shared() {
		all := cmd.SessionID == "" || domain == "Browser"
		if all && !matchAny(browserLevel, cmd.Method) || slices.Contains(wholeBrowser, domain) {
			return fault.New(fault.NotYours, "%s acts on the whole browser, which other tasks share; send what acts on a page on its session, or set browser.isolation to browser", cmd.Method)
		}
	}
	p := fieldsOf(cmd.Params)
	if err := h.blocked(cmd, p); err != nil {
		return err
	}
	switch domain {
	case "Target", "Storage", "Browser":
		return h.ownIDs(ctx, cmd, p)
	}
	return nil
}

// isWord reports whether s has the form of a CDP domain or method name.
func isWord(s string) bool {
	for i := range len(s) {
		c := s[i] | 0x20
		if (c < 'a' || c > 'z') && (i == 0 || s[i] < '0' || s[i] > '9') {
			return false
		}
	}
	return s != ""
}

// ownIDs checks the ids in the params of commands that can name others' targets,
// sessions, contexts and windows.
func (h *Handle) ownIDs(ctx context.Context, cmd *Command, p fields) error {
	for _, name := range []string{"targetId", "sessionId"} {
		if p[name] != nil && p.text(name) == "" {
			return fault.New(fault.InvalidArgument, "the %s of %s is not an id", name, cmd.Method)
		}
	}
	if id := p.text("targetId"); id != "" && !h.sup.OwnsTarget(id) {
		return fault.New(fault.NotYours, "the target %s is not this task's", id)
	}
	if id := p.text("sessionId"); id != "" && !h.sup.OwnsSession(id) {
		return fault.New(fault.NotYours, "the session %s is not this task's", id)
	}
	if err := h.ownContext(ctx, cmd, p); err != nil {
		return err
	}
	switch {
	case cmd.Method == "Target.attachToTarget" && string(p["flatten"]) != "true":
		cmd.Params = p.set("flatten", true) // other sessions can't be spoken to
	case cmd.Method == "Target.detachFromTarget":
		return h.ownSession(p.text("sessionId"))
	case slices.Contains(windowMethods, cmd.Method) && h.sup.Shared():
		return h.ownWindow(ctx, cmd, p)
	}
	return nil
}

// ownContext puts the task's own browser context into a command that means
// everybody's without one.
func (h *Handle) ownContext(ctx context.Context, cmd *Command, p fields) error {
	takes := takesContext(cmd)
	own := h.sup.ContextID()
	if takes && own == "" {
		var err error
		if own, err = h.sup.EnsureContext(ctx); err != nil {
			return err
		}
	}
	id := p.text("browserContextId")
	switch {
	case id != "" && id != own:
		return fault.New(fault.NotYours, "the browser context %s is not this task's", id)
	case id == "" && own != "" && (takes || p["browserContextId"] != nil):
		cmd.Params = p.set("browserContextId", own)
	case id == "" && p["browserContextId"] != nil:
		return fault.New(fault.InvalidArgument, "the browserContextId of %s is not an id", cmd.Method)
	}
	return nil
}

// takesContext reports whether a command means the default context, and so
// everybody's, unless it is told one.
func takesContext(cmd *Command) bool {
	switch cmd.Method {
	case "Target.createTarget",
		"Browser.grantPermissions", "Browser.setPermission", "Browser.resetPermissions",
		"Browser.setDownloadBehavior", "Browser.cancelDownload":
		return true
	case "Storage.getCookies", "Storage.setCookies", "Storage.clearCookies":
		return cmd.SessionID == "" // on a page's session they mean the page's
	}
	return false
}

// ownSession checks that a session may be detached: one that was attached by a
// handle, and not by somebody else's.
func (h *Handle) ownSession(id string) error {
	switch {
	case id == "":
		return fault.New(fault.InvalidArgument, "name the session that Target.detachFromTarget is to detach with sessionId")
	case h.sup.Watched(id):
		return fault.New(fault.NotYours, "the session %s is the host's own: the task is watched through it", id).With("owner", hostName)
	}
	if maker := h.manager.makerOf(h.sup, "session "+id); maker != "" && maker != h.holder.Name {
		return fault.New(fault.NotYours, "the session %s was attached by %s", id, maker).With("owner", maker)
	}
	return nil
}
