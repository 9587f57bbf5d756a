package frame

import (
	"slices"
	"strings"
)

// list keeps frames in document order and sorted by id. Once shared with a frozen
// view it copies itself before the next change; frames themselves are replaced,
// never changed.
type list struct {
	order  []item   // document order: a frame's descendants follow it
	byID   []*Frame // sorted
	shared bool
}

type item struct {
	*Frame
	level int32 // distance from the top
}

func find(byID []*Frame, id string) (int, bool) {
	return slices.BinarySearchFunc(byID, id, func(f *Frame, id string) int { return strings.Compare(f.ID, id) })
}

func (l *list) get(id string) *Frame {
	if i, ok := find(l.byID, id); ok {
		return l.byID[i]
	}
	return nil
}

// position is the index of f in document order, -1 when it is not there.
func (l *list) position(f *Frame) int {
	for i := range l.order {
		if l.order[i].Frame == f {
			return i
		}
	}
	return -1
}

// end is the index after the last descendant of the frame at i.
func (l *list) end(i int) int {
	level := l.order[i].level
	for i++; i < len(l.order) && l.order[i].level > level; i++ {
	}
	return i
}

// subtree returns the range of the descendants of f.
func (l *list) subtree(f *Frame) (from, end int) {
	i := l.position(f)
	return i + 1, l.end(i)
}

// own makes the slices private.
func (l *list) own() {
	if !l.shared {
		return
	}
	l.order = append(make([]item, 0, len(l.order)+8), l.order...)
	l.byID = append(make([]*Frame, 0, len(l.byID)+8), l.byID...)
	l.shared = false
}

// replace puts f in the place of old, which has the same id.
func (l *list) replace(old, f *Frame) {
	l.own()
	l.order[l.position(old)].Frame = f
	i, _ := find(l.byID, f.ID)
	l.byID[i] = f
}

// insert makes f the last child of parent.
func (l *list) insert(f, parent *Frame) {
	l.own()
	p := l.position(parent)
	l.order = slices.Insert(l.order, l.end(p), item{f, l.order[p].level + 1})
	i, _ := find(l.byID, f.ID)
	l.byID = slices.Insert(l.byID, i, f)
}

// move makes f, with its descendants, the last child of parent. It does nothing
// when parent is f or one of its descendants.
func (l *list) move(f, parent *Frame) bool {
	from, to := l.position(f), l.position(parent)
	end := l.end(from)
	if to >= from && to < end {
		return false
	}
	l.own()
	block := slices.Clone(l.order[from:end])
	shift := l.order[to].level + 1 - block[0].level
	for i := range block {
		block[i].level += shift
	}
	l.order = slices.Delete(l.order, from, end)
	l.order = slices.Insert(l.order, l.end(l.position(parent)), block...)
	return true
}

// removeRange takes the frames at [from, end) out, which must be whole subtrees,
// and returns them.
func (l *list) removeRange(from, end int) []*Frame {
	if from == end {
		return nil
	}
	l.own()
	gone := make([]*Frame, 0, end-from)
	for _, it := range l.order[from:end] {
		gone = append(gone, it.Frame)
	}
	l.order = slices.Delete(l.order, from, end)
	if len(gone) <= 4 {
		for _, f := range gone {
			i, _ := find(l.byID, f.ID)
			l.byID = slices.Delete(l.byID, i, i+1)
		}
		return gone
	}
	set := make(map[*Frame]struct{}, len(gone))
	for _, f := range gone {
		set[f] = struct{}{}
	}
	l.byID = slices.DeleteFunc(l.byID, func(f *Frame) bool { _, ok := set[f]; return ok })
	return gone
}

// reset replaces everything by order.
func (l *list) reset(order []item) {
	l.order = order
	l.byID = make([]*Frame, len(order))
	for i, it := range order {
		l.byID[i] = it.Frame
	}
	slices.SortFunc(l.byID, func(a, b *Frame) int { return strings.Compare(a.ID, b.ID) })
	l.shared = false
}
