package frame

import (
	"fmt"

	"github.com/chromedp/cdproto/page"
)

// Seed makes the part of the table that sessionID sees agree with frameTree, the
// result of its Page.getFrameTree. Frames that are not in it go, except those with a
// session of their own, which the browser leaves out of their parent's tree; they
// keep their places among their siblings.
func (t *Table) Seed(sessionID string, frameTree []byte) error {
	var result page.GetFrameTreeResult
	if err := decode(frameTree, &result); err != nil {
		return fmt.Errorf("frame: Page.getFrameTree: %w", err)
	}
	tree := result.FrameTree
	if tree == nil || tree.Frame == nil || tree.Frame.ID == "" {
		return fmt.Errorf("frame: Page.getFrameTree: %w", errNoFrame)
	}
	root, _ := t.subject(sessionID, tree.Frame)
	if root == nil {
		return nil
	}
	if root.before != nil {
		if isEmpty(tree.Frame) {
			return nil
		}
		root = t.commit(root)
	}
	if root.Top {
		t.dropped = 0
	}
	at := t.position(root)
	before, after := t.order[:at], t.order[t.end(at):]
	s := seeder{
		t:       t,
		session: sessionID,
		room:    t.max - len(before) - len(after),
		seen:    make(map[string]bool),
		above:   make(map[string]bool),
	}
	for f := t.get(root.ParentID); f != nil && !s.above[f.ID]; f = t.get(f.ParentID) {
		s.above[f.ID] = true
	}
	s.emit(tree, t.get(root.ParentID), t.order[at].level)

	order := make([]item, 0, len(before)+len(s.block)+len(after))
	order = s.appendUnseen(order, before)
	order = append(order, s.block...)
	order = s.appendUnseen(order, after)
	old := t.order
	t.reset(order)
	for _, it := range old {
		if t.get(it.ID) == nil {
			t.forget(it.Frame)
		}
	}
	t.frozen = nil
	return nil
}

// appendUnseen appends the frames of rest that the seeder has not put elsewhere.
func (s *seeder) appendUnseen(order, rest []item) []item {
	for i := 0; i < len(rest); i++ {
		if !s.seen[rest[i].ID] {
			order = append(order, rest[i])
			continue
		}
		for level := rest[i].level; i+1 < len(rest) && rest[i+1].level > level; i++ {
		}
	}
	return order
}
