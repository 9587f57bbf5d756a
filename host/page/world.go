package page

import (
	"errors"
	"sync"
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
	waits   int
}

func newWorlds() *worlds {
	return &worlds{of: make(map[string]*world), focused: make(map[string]bool)}
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
			alive[f.ID] = true
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
}
