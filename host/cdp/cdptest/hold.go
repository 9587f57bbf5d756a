package cdptest

import "slices"

// hold is why a new target does not run yet.
type hold struct {
	waiting map[*session]bool // sessions that have not released it
	// any is true of a popup with opener: whoever releases it first lets it run. All others wait for
	// every session.
	any bool
	// stalls is true while the target's renderer does not answer either.
	stalls bool
	start  func() // what it does once it runs
}

// attach makes a session and tells the one that it was made on.
func (t *target) attach(parent *session, auto, waiting bool) *session {
	ses := &session{
		id: t.s.newID('5'), conn: parent.conn, target: t, parent: parent, auto: auto, enabled: map[string]bool{},
	}
	t.sessions = append(t.sessions, ses)
	parent.conn.sessions[ses.id] = ses
	if len(t.sessions) == 1 {
		t.tell("Target.targetInfoChanged", M{"targetInfo": t.info()})
	}
	parent.event("Target.attachedToTarget", M{
		"sessionId": ses.id, "targetInfo": t.info(), "waitingForDebugger": waiting,
	})
	return ses
}

// announce tells that the target is there, attaches those who asked for it, and holds it if one of
// them wants to be waited for. A target that nobody holds is for the caller to start.
func (t *target) announce(h *hold) {
	for _, c := range t.s.clients {
		if c.root.attachFirst && t.kind == kindPage {
			c.root.untold = t
		}
	}
	t.tell("Target.targetCreated", M{"targetInfo": t.info()})
	h.waiting = map[*session]bool{}
	t.hold = h
	for _, parent := range t.attachers() {
		wait := parent.attach.wait
		ses := t.attach(parent, true, wait)
		// Chrome keeps a popup with opener waiting even for those who did not ask for it.
		if wait || h.any {
			h.waiting[ses] = true
		}
	}
	for _, c := range t.s.clients {
		if c.root.untold == t {
			c.root.untold = nil
			if c.root.discover.takes(t.kind) {
				c.root.event("Target.targetCreated", M{"targetInfo": t.info()})
			}
		}
	}
	if len(h.waiting) == 0 {
		t.hold = nil
	}
}

// attachers returns the sessions whose auto-attach takes the target.
func (t *target) attachers() []*session {
	var parents []*session
	if t.kind == kindIframe {
		parents = t.root.parent.target.sessions
	} else {
		for _, c := range t.s.clients {
			parents = append(parents, c.root)
		}
	}
	return slices.DeleteFunc(slices.Clone(parents), func(ses *session) bool {
		return ses.attach == nil || !ses.attach.filter.takes(t.kind)
	})
}

// run lets a target go that waited: h.start, once the renderer has answered what it was asked.
func (t *target) run() {
	h := t.hold
	t.hold = nil
	t.drain()
	h.start()
	t.drain()
}

// letGo forgets a session that is gone. Where every session has to release, that counts as a release.
func (t *target) letGo(ses *session) {
	h := t.hold
	if h == nil || !h.waiting[ses] || h.any || t.gone {
		return
	}
	delete(h.waiting, ses)
	if len(h.waiting) == 0 {
		t.run()
	}
}

// runIfWaitingForDebugger is the method of the Runtime domain.
func runIfWaitingForDebugger(ses *session, req *Request) Reply {
	t := ses.target
	h := t.hold
	switch {
	case h == nil:
		return Result(nil)
	case h.any:
		req.Answer(Result(nil))
		t.run()
		return NoReply
	}
	delete(h.waiting, ses)
	if len(h.waiting) > 0 {
		if h.stalls {
			t.queue = append(t.queue, queued{ses, req})
			return NoReply
		}
		return Result(nil)
	}
	if t.kind == kindIframe {
		t.run() // the frame's new process answers, so its document is there first
		return Result(nil)
	}
	t.queue = append(t.queue, queued{ses, req})
	t.run()
	return NoReply
}
