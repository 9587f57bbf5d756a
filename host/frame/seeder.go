package frame

import (
	"slices"

	"github.com/chromedp/cdproto/page"
)

// seeder builds the document order of one session's part of a table, from the
// session's frame tree and the frames that the table has.
type seeder struct {
	t       *Table
	session string
	room    int             // frames that fit
	seen    map[string]bool // frames in block
	above   map[string]bool // ancestors of the tree's root
	block   []item
}

// emit adds a frame of the tree with its descendants.
func (s *seeder) emit(tree *page.FrameTree, parent *Frame, level int32) {
	if tree == nil || tree.Frame == nil || tree.Frame.ID == "" {
		return
	}
	id := string(tree.Frame.ID)
	if s.seen[id] || s.above[id] {
		return
	}
	old := s.t.get(id)
	if old != nil && s.t.stale(s.session, old) {
		s.keep(old, parent, level)
		return
	}
	if len(s.block) >= s.room {
		s.t.dropped++
		return
	}
	f := &Frame{ID: id}
	if old != nil {
		c := *old
		f = &c
	}
	if parent != nil {
		f.ParentID = parent.ID
	}
	f.OOPIF = f.OOPIF && f.SessionID != "" // in its parent's tree means in its parent's process
	f.describe(tree.Frame, parent)
	s.seen[id] = true
	s.block = append(s.block, item{f, level})
	s.children(tree.ChildFrames, old, f, level+1)
}

// children adds the children of f: those of the tree in its order, and between
// them, where they were, those that only the table knows.
func (s *seeder) children(trees []*page.FrameTree, old, f *Frame, level int32) {
	inTree := make(map[string]bool, len(trees))
	for _, c := range trees {
		if c != nil && c.Frame != nil {
			inTree[string(c.Frame.ID)] = true
		}
	}
	// after maps a frame of the tree, or "" for the start, to the extra children that
	// follow it.
	after := make(map[string][]*Frame)
	previous := ""
	for _, c := range s.childrenOf(old) {
		switch {
		case inTree[c.ID]:
			previous = c.ID
		case s.keeps(c):
			after[previous] = append(after[previous], c)
		}
	}
	s.keepAll(after[""], f, level)
	for _, c := range trees {
		s.emit(c, f, level)
		if c != nil && c.Frame != nil {
			s.keepAll(after[string(c.Frame.ID)], f, level)
		}
	}
}

// childrenOf returns the children that the table has of f.
func (s *seeder) childrenOf(f *Frame) (children []*Frame) {
	if f == nil {
		return nil
	}
	for i, end := s.t.subtree(f); i < end; i = s.t.end(i) {
		children = append(children, s.t.order[i].Frame)
	}
	return children
}

// keeps reports whether a frame that is missing in its parent's tree is there all
// the same: it has a session, or it is one that is only known as the parent of such.
func (s *seeder) keeps(f *Frame) bool {
	if f.SessionID != "" {
		return true
	}
	at := s.t.position(f)
	return f.LoaderID == "" && slices.ContainsFunc(s.t.order[at:s.t.end(at)], func(it item) bool { return it.SessionID != "" })
}

func (s *seeder) keepAll(frames []*Frame, parent *Frame, level int32) {
	for _, f := range frames {
		s.keep(f, parent, level)
	}
}

// keep adds a frame and its descendants as the table has them.
func (s *seeder) keep(f, parent *Frame, level int32) {
	at := s.t.position(f)
	for i, end := at, s.t.end(at); i < end; i++ {
		it := s.t.order[i]
		if s.seen[it.ID] || s.above[it.ID] {
			i = s.t.end(i) - 1
			continue
		}
		if len(s.block) >= s.room {
			s.t.dropped++
			return
		}
		if i == at && parent != nil && it.ParentID != parent.ID {
			c := *it.Frame
			c.ParentID = parent.ID
			it.Frame = &c
		}
		it.level += level - s.t.order[at].level
		s.seen[it.ID] = true
		s.block = append(s.block, it)
	}
}
