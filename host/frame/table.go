package frame

// MaxFrames is how many frames a table holds. A page with more is hostile or
// broken; what is beyond the limit is counted in Frozen.Dropped.
const MaxFrames = 10_000

// Table is the mutable table of one page. It is not safe for concurrent use: its
// owner serialises the calls and gives out what Freeze returns.
type Table struct {
	list
	max      int
	dropped  int
	sessions map[string]string     // session -> frame that it is the own session of
	contexts map[string]contextRef // by uniqueId
	frozen   *Frozen               // nil when stale
}

// NewTable makes the table of a page of which no more is known than its top frame
// and its session. The top frame's id may be "" until the first Seed.
func NewTable(topFrameID, sessionID string) *Table {
	t := &Table{
		max:      MaxFrames,
		sessions: make(map[string]string, 1),
		contexts: make(map[string]contextRef),
	}
	t.reset([]item{{Frame: &Frame{ID: topFrameID, Top: true, SessionID: sessionID, Origin: opaque}}})
	if sessionID != "" {
		t.sessions[sessionID] = topFrameID
	}
	return t
}

// Freeze returns the current state. It is the same pointer until something
// changes.
func (t *Table) Freeze() *Frozen {
	if t.frozen == nil {
		t.frozen = &Frozen{order: t.order, byID: t.byID, dropped: t.dropped}
		t.shared = true
	}
	return t.frozen
}

func (t *Table) top() *Frame { return t.order[0].Frame }

// update replaces f by a copy that edit has changed, and returns that.
func (t *Table) update(f *Frame, edit func(*Frame)) *Frame {
	c := *f
	edit(&c)
	t.replace(f, &c)
	t.frozen = nil
	return &c
}

// root is the frame whose own session sessionID is, or else the top frame.
func (t *Table) root(sessionID string) *Frame {
	if f := t.get(t.sessions[sessionID]); f != nil {
		return f
	}
	return t.top()
}

// ensure returns the frame id, made as a child of parentID when it is unknown. A
// parent that is unknown too is made below the session's root, until an event or a
// Seed tells better. It returns nil when the table is full.
func (t *Table) ensure(sessionID, id, parentID string) *Frame {
	if f := t.get(id); f != nil {
		return f
	}
	parent := t.get(parentID)
	if parentID == "" || parentID == id {
		parent = t.root(sessionID)
	}
	if parent == nil {
		if parent = t.ensure(sessionID, parentID, ""); parent == nil {
			return nil
		}
	}
	if len(t.order) >= t.max {
		t.dropped++
		t.frozen = nil
		return nil
	}
	f := &Frame{ID: id, ParentID: parent.ID, Origin: parent.Origin}
	t.insert(f, parent)
	t.frozen = nil
	return f
}

// adopt makes f a child of parentID, when that is known and not so already.
func (t *Table) adopt(f *Frame, parentID string) *Frame {
	if parentID == "" || f.ParentID == parentID || f.Top {
		return f
	}
	parent := t.get(parentID)
	if parent == nil || !t.move(f, parent) {
		return f
	}
	return t.update(f, func(f *Frame) { f.ParentID = parentID })
}

// removeBelow takes all descendants of f out and returns their ids.
func (t *Table) removeBelow(f *Frame) []string {
	return t.removeAt(t.subtree(f))
}

func (t *Table) removeAt(from, end int) []string {
	gone := t.removeRange(from, end)
	if len(gone) == 0 {
		return nil
	}
	t.frozen = nil
	ids := make([]string, len(gone))
	for i, f := range gone {
		ids[i] = f.ID
		t.forget(f)
	}
	return ids
}

// forget drops what the indexes hold of a frame that left.
func (t *Table) forget(f *Frame) {
	if f.SessionID != "" && t.sessions[f.SessionID] == f.ID {
		delete(t.sessions, f.SessionID)
	}
	t.forgetContexts(f)
}

// setTop makes id the top frame. Another id than before means another page in the
// same tab: all frames of the old one go.
func (t *Table) setTop(id string) (gone []string) {
	old := t.top()
	if old.ID == id {
		return nil
	}
	top := Frame{ID: id, Origin: opaque}
	if known := t.get(id); known != nil {
		top = *known
		delete(t.sessions, top.SessionID)
	}
	top.Top, top.ParentID, top.OOPIF, top.SessionID = true, "", false, old.SessionID
	for _, it := range t.order {
		if it.ID != id {
			t.forget(it.Frame)
			if it.ID != "" {
				gone = append(gone, it.ID)
			}
		}
	}
	t.reset([]item{{Frame: &top}})
	if top.SessionID != "" {
		t.sessions[top.SessionID] = id
	}
	t.frozen = nil
	return gone
}
