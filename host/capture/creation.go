package capture

import (
	"encoding/json"
	"slices"
	"strings"

	"cdphost/host/cdp"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// creation is one thing that a handle made in the browser, or switched on.
type creation struct {
	what string // what identifies it, so that its own end can be recognised
	// undo takes it back without waiting. It may run on the reader goroutine.
	undo func()
}

// creationOf reads from a command and its result what was made.
func (h *Handle) creationOf(cmd *Command, result json.RawMessage) (creation, bool) {
	session := cmd.SessionID
	switch cmd.Method {
	case target.CommandAttachToTarget:
		if id := cdpText(result, "sessionId"); id != "" {
			return creation{"session " + id, h.posting(command("", target.CommandDetachFromTarget,
				&target.DetachFromTargetParams{SessionID: target.SessionID(id)}))}, true
		}
	case target.CommandCreateTarget:
		if id := cdpText(result, "targetId"); id != "" {
			return creation{"target " + id, func() { h.sup.Discard(id) }}, true
		}
	case page.CommandAddScriptToEvaluateOnNewDocument:
		if id := cdpText(result, "identifier"); id != "" {
			return h.using(session, "script "+id, command(session, page.CommandRemoveScriptToEvaluateOnNewDocument,
				&page.RemoveScriptToEvaluateOnNewDocumentParams{Identifier: page.ScriptIdentifier(id)})), true
		}
	case runtime.CommandAddBinding:
		if name := cdpText(cmd.Params, "name"); name != "" {
			return h.using(session, "binding "+name, command(session, runtime.CommandRemoveBinding,
				&runtime.RemoveBindingParams{Name: name})), true
		}
	case fetchEnable:
		return creation{fetchOn(session), func() { h.stopFetch(session) }}, true
	case debuggerEnable:
		return creation{debuggerOn(session), func() { h.stopDebugger(session) }}, true
	}
	if domain, ok := strings.CutSuffix(cmd.Method, ".enable"); ok && !hostDomain(domain) {
		return h.using(session, domain, command(session, domain+".disable", nil)), true
	}
	return creation{}, false
}

// endOf reads from a command what it ends of what was made.
func endOf(cmd *Command) string {
	session := cmd.SessionID
	p := fieldsOf(cmd.Params)
	switch cmd.Method {
	case target.CommandDetachFromTarget:
		return "session " + p.text("sessionId")
	case target.CommandCloseTarget:
		return "target " + p.text("targetId")
	case page.CommandRemoveScriptToEvaluateOnNewDocument:
		return useOf(session, "script "+p.text("identifier"))
	case runtime.CommandRemoveBinding:
		return useOf(session, "binding "+p.text("name"))
	case fetchDisable:
		return fetchOn(session)
	case debuggerDisable:
		return debuggerOn(session)
	}
	if domain, ok := strings.CutSuffix(cmd.Method, ".disable"); ok {
		return useOf(session, domain)
	}
	return ""
}

// using is something of a session that several may rely on: it is taken back by
// cmd when the last of them does.
func (h *Handle) using(session, what string, cmd cdp.Command) creation {
	undo := h.posting(cmd)
	return creation{useOf(session, what), func() {
		if !h.sup.Unuse(session, what, h.owner()) {
			undo()
		}
	}}
}

func useOf(session, what string) string { return "use " + session + " " + what }

// posting returns what sends cmd without waiting. In a later epoch there is
// nothing to take back: sessions, and all that is theirs, ended with theirs.
func (h *Handle) posting(cmd cdp.Command) func() {
	return func() {
		if h.sup.Snapshot().Epoch == h.epoch {
			h.sup.Post(cmd, nil)
		}
	}
}

// record notes what a command made or ended. A handle that is released by now
// takes it back at once.
func (h *Handle) record(cmd *Command, result json.RawMessage) {
	if end := endOf(cmd); end != "" {
		h.forget(cmd.SessionID, end)
		return
	}
	c, ok := h.creationOf(cmd, result)
	if !ok {
		return
	}
	if what, shared := strings.CutPrefix(c.what, useOf(cmd.SessionID, "")); shared {
		h.sup.Use(cmd.SessionID, what, h.owner())
	}
	h.mu.Lock()
	released := h.released
	if !released && !h.madeLocked(c.what) {
		h.made = append(h.made, c)
	}
	h.mu.Unlock()
	if released && !h.holder.KeepsWhatItMakes {
		c.undo()
	}
}

func (h *Handle) madeLocked(what string) bool {
	return slices.ContainsFunc(h.made, func(c creation) bool { return c.what == what })
}

// forget drops what a command has ended. Sessions and targets are ended for
// whoever made them; of what is shared, only this handle's part is.
func (h *Handle) forget(session, what string) {
	if use, shared := strings.CutPrefix(what, useOf(session, "")); shared {
		h.sup.Unuse(session, use, h.owner())
	}
	of := []*Handle{h}
	if strings.HasPrefix(what, "session ") || strings.HasPrefix(what, "target ") {
		of = h.manager.handlesOf(h.sup)
	}
	for _, one := range of {
		one.mu.Lock()
		one.made = slices.DeleteFunc(one.made, func(c creation) bool { return c.what == what })
		one.mu.Unlock()
	}
}

// late takes the reply that came after the caller had gone: what it made belongs
// to nobody and is taken back, once. What begin notes was taken back by failed.
func (h *Handle) late(cmd *Command) func(json.RawMessage, error) {
	return func(result json.RawMessage, err error) {
		if err != nil || cmd.Method == fetchEnable || cmd.Method == debuggerEnable {
			return
		}
		if c, ok := h.creationOf(cmd, result); ok {
			c.undo()
		}
	}
}

func cdpText(raw json.RawMessage, name string) string { return fieldsOf(raw).text(name) }

func command(session, method string, params any) cdp.Command {
	c := cdp.Command{SessionID: session, Method: method}
	if params != nil {
		c.Params = cdp.Marshal(params)
	}
	return c
}
