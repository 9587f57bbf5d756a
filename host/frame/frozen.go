package frame

import "iter"

// Frozen is an immutable view of a table; any number of goroutines may use it. The
// methods of a nil *Frozen answer as of an empty table.
type Frozen struct {
	order   []item
	byID    []*Frame
	dropped int
}

// Len is the number of frames, the top one included.
func (z *Frozen) Len() int {
	if z == nil {
		return 0
	}
	return len(z.order)
}

// Dropped is the number of times that a frame did not fit into the table.
func (z *Frozen) Dropped() int {
	if z == nil {
		return 0
	}
	return z.dropped
}

// Lookup returns the frame id.
func (z *Frozen) Lookup(id string) (Frame, bool) {
	if f := z.lookup(id); f != nil {
		return *f, true
	}
	return Frame{}, false
}

func (z *Frozen) lookup(id string) *Frame {
	if z == nil {
		return nil
	}
	if i, ok := find(z.byID, id); ok {
		return z.byID[i]
	}
	return nil
}

// Top returns the top frame.
func (z *Frozen) Top() Frame {
	if z == nil {
		return Frame{}
	}
	return *z.order[0].Frame
}

// Frames iterates over all frames in document order, the top one first.
func (z *Frozen) Frames() iter.Seq[Frame] {
	return func(yield func(Frame) bool) {
		if z == nil {
			return
		}
		for _, it := range z.order {
			if !yield(*it.Frame) {
				return
			}
		}
	}
}

// SessionOf returns the session that reaches a frame: its own, or that of the
// nearest ancestor in the same process. It is not ok when the frame is unknown or
// lives in a process that no session reaches; there is no other session to use then.
func (z *Frozen) SessionOf(id string) (sessionID string, ok bool) {
	for f := z.lookup(id); f != nil; f = z.lookup(f.ParentID) {
		if f.SessionID != "" {
			return f.SessionID, true
		}
		if f.OOPIF || f.Top {
			return "", false
		}
	}
	return "", false
}
