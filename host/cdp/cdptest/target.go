package cdptest

import "slices"

// The types of targets that the model has.
const (
	kindPage   = "page"
	kindIframe = "iframe"
	kindUI     = "browser_ui"
)

// target is a page, a frame with a process of its own, or a piece of browser UI.
type target struct {
	s       *Server
	id      string
	kind    string
	context *browserContext
	title   string
	url     string

	opener      *target // page: who opened it
	openerFrame string
	hasOpener   bool // page: its window.opener is set

	root     *Frame // its topmost frame
	group    string // page: browsing context group, which shares processes
	sessions []*session
	hold     *hold    // not nil: it waits for debuggers
	queue    []queued // commands that wait for its renderer
	process  *process
	dialogs  []*dialog // page: what is open, those that nobody can handle included
	shown    *dialog   // page: the one that can be handled
	crashed  bool
	unloaded bool // page: discarded, without a renderer until it is navigated
	gone     bool
	gesture  bool        // page: a user acted on its document
	leaving  *navigation // page: a navigation behind a beforeunload dialog
}

// populate makes what a browser has at its start.
func (s *Server) populate() {
	ctx := &browserContext{id: s.newID('C')}
	s.contexts = []*browserContext{ctx}
	if s.opts.Empty {
		return
	}
	s.newPage(ctx, "about:blank", nil)
	ui := &target{s: s, id: s.newID('A'), kind: kindUI, context: ctx, url: "chrome://omnibox-popup.top-chrome/"}
	ui.process = &process{}
	s.targets = append(s.targets, ui)
}

// newPage makes a page at its initial empty document. Nobody is told yet.
func (s *Server) newPage(ctx *browserContext, url string, opener *Frame) *target {
	t := &target{s: s, id: s.newID('A'), kind: kindPage, context: ctx, url: url}
	t.group = t.id
	t.process = &process{}
	t.root = &Frame{s: s, id: t.id, target: t, loader: s.newID('1')}
	if opener == nil {
		t.root.url = "about:blank"
	} else {
		t.opener, t.openerFrame = opener.page(), opener.id
	}
	t.root.newContext()
	s.targets = append(s.targets, t)
	return t
}

// find returns a target by id.
func (s *Server) find(id string) *target {
	for _, t := range s.targets {
		if t.id == id {
			return t
		}
	}
	return nil
}

// info returns what Chrome calls TargetInfo.
func (t *target) info() M {
	info := M{
		"targetId":         t.id,
		"type":             t.kind,
		"title":            t.title,
		"url":              t.url,
		"attached":         len(t.sessions) > 0,
		"canAccessOpener":  t.hasOpener,
		"browserContextId": t.context.id,
	}
	if t.opener != nil {
		info["openerId"], info["openerFrameId"] = t.opener.id, t.openerFrame
	}
	if t.kind == kindIframe {
		info["parentId"], info["parentFrameId"] = t.root.parent.target.id, t.root.parent.id
	}
	return info
}

// tell sends an event to the browser sessions that discover targets of this type.
func (t *target) tell(method string, params any) {
	for _, c := range t.s.clients {
		if c.root.discover.takes(t.kind) && c.root.untold != t {
			c.root.event(method, params)
		}
	}
}

// infoChanged tells that something in info changed: to those who discover, and to the sessions of a
// parent that attached it.
func (t *target) infoChanged() {
	params := M{"targetInfo": t.info()}
	for _, ses := range t.sessions {
		if ses.parent.target != nil {
			ses.parent.event("Target.targetInfoChanged", params)
		}
	}
	t.tell("Target.targetInfoChanged", params)
}

// emit sends an event of a domain to every session that enabled it.
func (t *target) emit(method string, params any) {
	domain := domainOf(method)
	for _, ses := range t.sessions {
		if ses.on(domain) {
			ses.event(method, params)
		}
	}
}

// destroy takes the target away, with the frames' targets below it.
func (t *target) destroy() {
	if t.gone {
		return
	}
	if t.deadlyToClose() {
		t.s.die("page closed while a dialog of a frame in another process was open")
		return
	}
	t.gone = true
	for _, child := range t.children() {
		child.destroy()
	}
	for _, d := range slices.Clone(t.dialogs) {
		d.after = nil // whoever waits for a page that goes away is never answered
		defer d.shut(false, "")()
	}
	for _, ses := range slices.Clone(t.sessions) {
		ses.detach()
	}
	t.s.targets = slices.DeleteFunc(t.s.targets, func(other *target) bool { return other == t })
	t.tell("Target.targetDestroyed", M{"targetId": t.id})
}

// children returns the targets of frames directly below the frames of t.
func (t *target) children() []*target {
	var found []*target
	for _, other := range t.s.targets {
		if other.kind == kindIframe && other.root.parent.target == t {
			found = append(found, other)
		}
	}
	return found
}
