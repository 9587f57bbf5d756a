// Package frame is the table of one page's frames, merged over the sessions that
// their processes are reached by: pure state, fed by CDP events and seeded from
// Page.getFrameTree.
//
// It does no I/O. Frames keep document order, a frame that moves between processes
// keeps its place, and a session is only ever the one that Target.attachedToTarget
// gave. Frozen views are immutable and cost little: everything but what an event
// touched is shared.
package frame

// Frame is what is known of one frame. Values are never changed once published.
type Frame struct {
	ID       string // frameId; an OOPIF's is also its targetId
	ParentID string // "" for the top frame
	URL      string // with fragment, cut at 16 KiB
	// Origin is serialised, "null" for opaque ones. Until the document's execution
	// context is known, that of a sandboxed one may still be its URL's.
	Origin   string
	LoaderID string // of the document
	Name     string

	// SessionID is the frame's own session, "" for a frame that shares its
	// parent's process: see Frozen.SessionOf.
	SessionID string
	// OOPIF tells that the frame lives in another process than its parent. It may
	// have no session: while it moves, or where the browser does not attach it.
	OOPIF   bool
	Top     bool
	Crashed bool
	// UnreachableURL is the URL that failed to load, when an error page shows.
	UnreachableURL string

	// DefaultContext and DefaultContextID name the execution context of the page's
	// own scripts: its uniqueId and its id, which is unique in its session only.
	DefaultContext   string
	DefaultContextID int64
	// Worlds are the isolated worlds, in the order of their making.
	Worlds []World

	defaultKey    string
	contextOrigin string // of the default context
	// before is the frame as it is in its parent's process while another process
	// has been made ready for it and shows nothing yet; nil otherwise.
	before *Frame
}

// World is an isolated execution context of a frame.
type World struct {
	Name     string
	UniqueID string
	ID       int64

	key string
}

// World returns the isolated world of that name.
func (f *Frame) World(name string) (World, bool) {
	for _, w := range f.Worlds {
		if w.Name == name {
			return w, true
		}
	}
	return World{}, false
}
