package cdptest

import (
	"fmt"
	"slices"
)

// Frame is a frame of a mock page.
type Frame struct {
	s        *Server
	id       string
	name     string
	parent   *Frame // nil: the page's top frame
	children []*Frame
	target   *target // the target whose renderer it lives in
	own      *target // the target made for it alone, once that is there
	swapping bool    // its parent's renderer does not know yet that it moved to own

	url         string
	loader      string
	unreachable string
	contextID   int
	uniqueID    string
	injected    []string // init scripts that ran in its document
	parsed      bool     // its document has made its frames
	loading     int      // frames of its document that have not loaded
	gone        bool
}

// ID returns the frame's id. A page's top frame has the id of its target.
func (f *Frame) ID() string { return f.id }

// URL returns the URL of the frame's document.
func (f *Frame) URL() string {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	return f.url
}

// LoaderID returns the loader of the frame's document.
func (f *Frame) LoaderID() string {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	return f.loader
}

// Injected returns the init scripts that ran before the scripts of the frame's document.
func (f *Frame) Injected() []string {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	return slices.Clone(f.injected)
}

// Children returns the frame's children.
func (f *Frame) Children() []*Frame {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	return slices.Clone(f.children)
}

// OOPIF tells whether the frame is a target of its own below its parent's.
func (f *Frame) OOPIF() bool {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	return f.isRemote()
}

// Emit sends an event on the sessions of the frame's target that have its domain enabled.
func (f *Frame) Emit(method string, params any) {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	f.target.emit(method, params)
}

func (f *Frame) isRemote() bool { return f.own != nil && f.target == f.own }

// page returns the target of the page that the frame is in.
func (f *Frame) page() *target {
	for f.parent != nil {
		f = f.parent
	}
	return f.target
}

// site returns the site that decides about the frame's process.
func (f *Frame) site() string {
	for ; f != nil; f = f.parent {
		if !inherits(f.url) {
			return siteOf(f.url)
		}
	}
	return ""
}

// newContext gives the frame's document an execution context.
func (f *Frame) newContext() {
	f.s.ids++
	f.contextID = f.s.ids
	f.uniqueID = fmt.Sprintf("%d.%d", f.s.ids, f.s.ids+1)
}

// contextCreated returns the params of Runtime.executionContextCreated.
func (f *Frame) contextCreated() M {
	return M{"context": M{
		"id": f.contextID, "origin": originOf(f.url), "name": "", "uniqueId": f.uniqueID,
		"auxData": M{"isDefault": true, "type": "default", "frameId": f.id},
	}}
}

// describe returns what Chrome calls Page.Frame.
func (f *Frame) describe() M {
	frame := M{
		"id": f.id, "loaderId": f.loader, "url": f.url,
		"domainAndRegistry":              domainAndRegistry(f.url),
		"securityOrigin":                 originOf(f.url),
		"securityOriginDetails":          M{"isLocalhost": false},
		"mimeType":                       "text/html",
		"adFrameStatus":                  M{"adFrameType": "none"},
		"secureContextType":              "InsecureScheme",
		"crossOriginIsolatedContextType": "NotIsolated",
		"gatedAPIFeatures":               []string{},
	}
	if f.parent != nil {
		frame["parentId"], frame["name"] = f.parent.id, f.name
	}
	if f.unreachable != "" {
		frame["unreachableUrl"] = f.unreachable
	}
	return frame
}

// tree returns what Chrome calls Page.FrameTree: the frames of one renderer.
func (f *Frame) tree() M {
	tree := M{"frame": f.describe()}
	var children []M
	for _, child := range f.children {
		if child.target == f.target {
			children = append(children, child.tree())
		}
	}
	if children != nil {
		tree["childFrames"] = children
	}
	return tree
}

// local returns f and the frames below it that live in the same renderer, in document order.
func (f *Frame) local() []*Frame {
	frames := []*Frame{f}
	for _, child := range f.children {
		if child.target == f.target {
			frames = append(frames, child.local()...)
		}
	}
	return frames
}

// lifecycle sends a lifecycle event to the sessions that asked for them.
func (f *Frame) lifecycle(name string) {
	for _, ses := range f.target.sessions {
		if ses.on("Page") && ses.lifecycle {
			ses.event("Page.lifecycleEvent", f.lifecycleEvent(name))
		}
	}
}

func (f *Frame) lifecycleEvent(name string) M {
	return M{"frameId": f.id, "loaderId": f.loader, "name": name, "timestamp": timestamp()}
}
