package cdptest

import (
	"slices"
	"strings"
)

// Navigate takes the frame somewhere as its script would. Whether a child frame gets or loses a
// target of its own follows from the sites of the URLs.
func (f *Frame) Navigate(url string) {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	if f.parent != nil {
		f.navigate(url)
		return
	}
	(&navigation{frame: f, url: url, kind: "differentDocument"}).begin()
}

// Attach adds an iframe to the frame's document.
func (f *Frame) Attach(url string) *Frame {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	return f.add(url)
}

// Detach removes the frame from its parent's document.
func (f *Frame) Detach() {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	f.remove()
}

// Console lets the frame's script log a line; level is log, error, warning and so on.
func (f *Frame) Console(level, text string) {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	f.console(level, []any{text})
}

// Throw lets the frame's script throw an error that nobody catches.
func (f *Frame) Throw(text string) {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	name, _, _ := strings.Cut(text, ":")
	f.target.emit("Runtime.exceptionThrown", M{"timestamp": timestamp() * 1000, "exceptionDetails": M{
		"exceptionId": 1, "text": "Uncaught", "lineNumber": 0, "columnNumber": 0, "scriptId": "4", "url": f.url,
		"executionContextId": f.contextID,
		"exception":          M{"type": "object", "subtype": "error", "className": name, "description": text},
	}})
}

// remove takes a child frame away.
func (f *Frame) remove() {
	if f.parent == nil || f.gone {
		return
	}
	t := f.parent.target
	t.emit("Page.frameSubtreeWillBeDetached", M{"frameId": f.id})
	t.emit("Page.frameDetached", M{"frameId": f.id, "reason": "remove"})
	if !f.isRemote() {
		t.emit("Runtime.executionContextDestroyed", M{
			"executionContextId": f.contextID, "executionContextUniqueId": f.uniqueID,
		})
	}
	f.gone = true
	for _, d := range f.page().dialogs {
		if d.frame == f && d.process.dialog == d {
			d.process.dialog = nil // and no word to anybody
			defer f.s.free(d.process)
		}
	}
	f.dropBelow()
	if f.own != nil {
		f.own.destroy()
	}
	f.parent.children = slices.DeleteFunc(f.parent.children, func(other *Frame) bool { return other == f })
}

// OpenPopup lets the frame's script call window.open.
func (f *Frame) OpenPopup(url string, noopener bool) *Page {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	features := ""
	if noopener {
		features = "noopener"
	}
	return &Page{f.s, f.windowOpen(url, features, func() {})}
}
