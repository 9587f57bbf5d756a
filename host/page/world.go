package page

import (
	"errors"
	"sync"
	"time"
)

// errOtherDocument says that the document a call was meant for is gone.
var errOtherDocument = errors.New("page: another document is in the frame")

// world is the isolated world of the document that a frame shows.
type world struct {
	session string
	context int64
	doc     string
	owners  map[string]int // child frame id to the number of its element
}

// worlds remembers the isolated world of each frame. Chrome refuses a context
// whose document is gone, and the walker a document that was not meant, so a
// stale entry costs a round trip and never acts on the wrong document.
type worlds struct {
	mu      sync.Mutex
	of      map[string]*world
	focused map[string]bool // sessions with focus emulation
	closed  map[string]*closedSearch
	waits   int
}

// closedSearch is what is known of the search for closed shadow roots behind a session.
type closedSearch struct {
	doc     string    // the first document behind it, with
	surplus int       // a surplus of elements that hides none; -1 for none known
	until   time.Time // no whole tree is read before
}

func newWorlds() *worlds {
	return &worlds{of: make(map[string]*world), focused: make(map[string]bool), closed: make(map[string]*closedSearch)}
}

// searchable tells whether a session has DOM.enable.
func (w *worlds) searchable(session string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.closed[session] != nil
}

func (w *worlds) setSearchable(session string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed[session] == nil {
		w.closed[session] = &closedSearch{surplus: -1}
	}
}

// explained tells whether a surplus of elements is known to hide no closed root.
func (w *worlds) explained(session, doc string, surplus int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := w.closed[session]
	return c != nil && c.doc == doc && c.surplus == surplus
}

func (w *worlds) explain(session, doc string, surplus int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if c := w.closed[session]; c != nil {
		c.doc, c.surplus = doc, surplus
	}
}

func (w *worlds) mayPierce(session string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := w.closed[session]
	return c != nil && !time.Now().Before(c.until)
}

func (w *worlds) pierced(session string, found bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if c := w.closed[session]; c != nil && !found {
		c.until = time.Now().Add(fruitless)
	}
}

// waitID numbers the waits in pages, so that each can be stopped.
func (w *worlds) waitID() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waits++
	return w.waits
}

func (w *worlds) attended(session string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.focused[session]
}

func (w *worlds) setAttended(session string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.focused[session] = true
}

func (w *worlds) get(f Frame) *world {
	w.mu.Lock()
	defer w.mu.Unlock()
	if known := w.of[f.ID]; known != nil && known.session == f.Session {
		return known
	}
	return nil
}

func (w *worlds) set(frameID string, known *world) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if known == nil {
		delete(w.of, frameID)
		return
	}
	w.of[frameID] = known
}

// owner returns the remembered number of a child frame's element.
func (w *worlds) owner(in *world, child string) (int, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, ok := in.owners[child]
	return n, ok
}

func (w *worlds) setOwner(in *world, child string, n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	in.owners[child] = n
}

// keep forgets the worlds of frames that no tab has any more.
func (w *worlds) keep(st *State) {
	alive, sessions := make(map[string]bool), make(map[string]bool)
	for i := range st.Tabs {
		sessions[st.Tabs[i].Session] = true
		for _, f := range st.Tabs[i].Frames {
			alive[f.ID], sessions[f.Session] = true, true
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for id := range w.of {
		if !alive[id] {
			delete(w.of, id)
		}
	}
	for id := range w.focused {
		if !sessions[id] {
			delete(w.focused, id)
		}
	}
	for id := range w.closed {
		if !sessions[id] {
			delete(w.closed, id)
		}
	}
}
