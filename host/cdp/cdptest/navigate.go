package cdptest

import (
	"slices"
	"strings"
	"time"
)

// navigation is a frame on its way to a document.
type navigation struct {
	frame  *Frame
	url    string
	loader string
	kind   string // Chrome's navigationType
	// done answers whoever asked for it, when the navigation is sure to commit (errorText "") or has
	// failed; nil: nobody asked.
	done func(errorText string)
}

// timestamp returns the time in seconds, as Chrome's MonotonicTime.
func timestamp() float64 { return float64(time.Now().UnixMicro()) / 1e6 }

// begin starts a navigation: it asks the page whether it may go, and waits for debuggers.
func (n *navigation) begin() {
	f := n.frame
	t := f.target
	if n.withinDocument() {
		n.fragment()
		return
	}
	n.loader = f.s.newID('1')
	t.emit("Page.frameStartedNavigating", M{
		"frameId": f.id, "url": n.url, "loaderId": n.loader, "navigationType": n.kind,
	})
	t.emit("Page.frameStartedLoading", M{"frameId": f.id})
	if f.parent == nil && t.leaving != nil {
		// The dialog that is open decides about the newer one.
		t.leaving.finish("net::ERR_ABORTED")
		t.leaving = n
		return
	}
	if f.parent == nil && t.asksBeforeUnload() {
		t.leaving = n
		(&dialog{
			frame: f, kind: "beforeunload",
			before: func(accepted bool) {
				if !accepted {
					t.leaving.finish("net::ERR_ABORTED")
					t.leaving = nil
					t.emit("Page.frameStoppedLoading", M{"frameId": f.id})
				}
			},
			after: func(accepted bool, _ string) {
				if accepted {
					next := t.leaving
					t.leaving = nil
					next.proceed()
				}
			},
		}).open()
		return
	}
	n.proceed()
}

// proceed commits now, or when the target is released.
func (n *navigation) proceed() {
	h := n.frame.target.hold
	if h == nil || n.frame.parent != nil {
		n.commitTop()
		return
	}
	before := h.start
	h.stalls = true // the new document's process does not run
	h.start = func() { before(); n.commitTop() }
}

// asksBeforeUnload tells whether leaving the page's document opens a beforeunload dialog.
func (t *target) asksBeforeUnload() bool {
	return t.gesture && !t.crashed && t.s.document(t.root.url).BeforeUnload
}

func (n *navigation) finish(errorText string) {
	if n.done != nil {
		n.done(errorText)
	}
}

// withinDocument tells whether only the fragment changes.
func (n *navigation) withinDocument() bool {
	old, _, _ := strings.Cut(n.frame.url, "#")
	next, _, has := strings.Cut(n.url, "#")
	return has && old == next && n.kind != "reload"
}

func (n *navigation) fragment() {
	f := n.frame
	f.url = n.url
	if f.parent == nil {
		f.target.url = n.url
		f.target.infoChanged()
	}
	f.target.emit("Page.navigatedWithinDocument", M{"frameId": f.id, "url": n.url, "navigationType": "fragment"})
	n.loader = ""
	n.finish("")
}

// commitTop puts the new document into a frame whose target stays.
func (n *navigation) commitTop() {
	f, t := n.frame, n.frame.target
	if d := t.dialogOfGoneFrame(); d != nil && len(d.handlers) > 0 {
		t.s.die("navigated after the frame of an open dialog was removed")
		return
	}
	process := t.s.nextProcess(f, n.url)
	for _, d := range slices.Clone(t.dialogs) {
		if d.frame.target != t {
			d.after = nil // its frame goes, and whoever waits for that is never answered
		}
		defer d.shut(false, "")()
	}
	doc := t.s.document(n.url)
	if doc.Error == "" {
		n.finish("")
	} else {
		n.finish(doc.Error)
	}
	for _, child := range t.children() {
		child.destroy()
	}
	lacked := t.crashed || t.unloaded
	t.crashed, t.unloaded, t.gesture, t.process = false, false, false, process
	if lacked {
		t.drain()
	}
	f.commit(n.url, n.loader, doc)
}

// nextProcess returns the process of a frame's next document.
func (s *Server) nextProcess(f *Frame, url string) *process {
	if f.target.crashed {
		return &process{}
	}
	if inherits(url) || siteOf(url) == f.site() || f.site() == "" {
		return f.target.process
	}
	return s.processFor(f, siteOf(url))
}

// commit is the arrival of a document in a frame, up to the point where its script runs.
func (f *Frame) commit(url, loader string, doc Document) {
	t := f.target
	f.url, f.loader, f.unreachable = url, loader, ""
	f.children, f.loading, f.parsed = nil, 0, false
	title := doc.Title
	if doc.Error != "" {
		f.url, f.unreachable = "chrome-error://chromewebdata/", url
	}
	f.newContext()
	if t.root == f {
		t.emit("Runtime.executionContextsCleared", M{})
		t.title, t.url = title, url
		if title == "" {
			t.title = strings.TrimPrefix(url, "http://")
		}
	}
	f.lifecycle("init")
	t.emit("Page.frameNavigated", M{"frame": f.describe(), "type": "Navigation"})
	if t.root == f {
		t.infoChanged()
	}
	if f.swapping {
		f.swapping = false
		f.parent.target.emit("Page.frameDetached", M{"frameId": f.id, "reason": "swap"})
	}
	t.emit("Runtime.executionContextCreated", f.contextCreated())
	f.injected = t.initScripts()
	f.evaluate(doc.Script, func(Reply) { f.parse(loader, doc) })
}

// initScripts returns the init scripts of all sessions of a target.
func (t *target) initScripts() []string {
	var sources []string
	for _, ses := range t.sessions {
		for _, script := range ses.scripts {
			sources = append(sources, script.source)
		}
	}
	return sources
}

// parse makes the frames of the document, unless it has gone meanwhile.
func (f *Frame) parse(loader string, doc Document) {
	if f.gone || f.loader != loader {
		return
	}
	f.loading = len(doc.Frames)
	for _, url := range doc.Frames {
		f.add(url)
	}
	f.parsed = true
	if f.target.root == f {
		f.target.emit("Page.domContentEventFired", M{"timestamp": timestamp()})
	}
	f.lifecycle("DOMContentLoaded")
	f.loaded()
}

// loaded tells that the document has loaded, if it has.
func (f *Frame) loaded() {
	if f.gone || !f.parsed || f.loading > 0 {
		return
	}
	f.parsed = false // once
	if f.target.root == f {
		f.target.emit("Page.loadEventFired", M{"timestamp": timestamp()})
	}
	f.lifecycle("load")
	f.target.emit("Page.frameStoppedLoading", M{"frameId": f.id})
	if f.parent != nil && f.parent.loading > 0 {
		f.parent.loading--
		f.parent.loaded()
	}
}
