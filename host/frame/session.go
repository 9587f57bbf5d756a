package frame

// Attached records Target.attachedToTarget of an iframe target, or with parentFrameID
// "" the page's own session. url is "" for a target that is still empty.
func (t *Table) Attached(sessionID, frameID, parentFrameID, url string) Change {
	if sessionID == "" || frameID == "" {
		return Change{}
	}
	if top := t.top(); frameID == top.ID || (parentFrameID == "" && top.ID == "") {
		gone := t.setTop(frameID)
		t.bind(t.top(), sessionID)
		return Change{Kind: Sessions, Frame: frameID, Top: true, Gone: gone}
	}
	f := t.ensure("", frameID, parentFrameID)
	if f == nil {
		return Change{}
	}
	f = t.adopt(f, parentFrameID)
	before := f.before
	if before == nil && url == "" && !f.OOPIF {
		before = f // a navigation that may still be given up
	} else {
		t.forgetContexts(f) // of the process that it leaves
	}
	f = t.update(f, func(f *Frame) {
		f.OOPIF, f.Crashed, f.before = true, false, before
		f.clearContexts()
		if url != "" {
			f.show(url, "", t.get(f.ParentID))
		}
	})
	t.bind(f, sessionID)
	return Change{Kind: Sessions, Frame: frameID, Reseed: url != ""}
}

// bind makes sessionID the frame's own session.
func (t *Table) bind(f *Frame, sessionID string) {
	if other := t.get(t.sessions[sessionID]); other != nil && other.ID != f.ID {
		t.update(other, func(f *Frame) { f.SessionID = "" })
	}
	if f.SessionID != sessionID {
		delete(t.sessions, f.SessionID)
		t.update(f, func(f *Frame) { f.SessionID = sessionID })
	}
	t.sessions[sessionID] = f.ID
}

// Detached records Target.detachedFromTarget. The frame stays, out of process and
// without a session, until an event on its parent's session tells whether it became
// local, or was removed with its parent's document. Its document is gone in any case;
// but when the process never showed one, the frame is what it was before.
func (t *Table) Detached(sessionID string) Change {
	id, ok := t.sessions[sessionID]
	t.clearContexts(sessionID)
	if !ok {
		return Change{}
	}
	delete(t.sessions, sessionID)
	if f := t.get(id); f.before != nil {
		t.giveUp(f)
		return Change{Kind: Sessions, Frame: id}
	}
	f := t.update(t.get(id), func(f *Frame) { f.SessionID = "" })
	c := Change{Kind: Sessions, Frame: id, Top: f.Top}
	if !f.Top {
		c.Gone = t.removeBelow(f)
	}
	return c
}

// Reset forgets all sessions and contexts, as when the connection drops. Frames
// stay as last seen until Attached and Seed tell how they are now.
func (t *Table) Reset() {
	clear(t.sessions)
	clear(t.contexts)
	order := make([]item, len(t.order))
	for i, it := range t.order {
		f := *it.Frame
		f.SessionID, f.before = "", nil
		f.clearContexts()
		order[i] = item{&f, it.level}
	}
	t.reset(order)
	t.frozen = nil
}
