package dialog

import "time"

// orphan marks e as unanswerable. Its deadline stays, and so does an answer on its
// way, which may have arrived.
func (q *Queue) orphan(e *entry, why string) {
	e.State = Orphaned
	e.Deciding, e.Ask, e.lost = false, false, false
	e.retry = nil
	e.Note = why
	q.touched()
}

// Orphan marks the native dialogs that match as unanswerable, for instance when
// an attach finds that a page is blocked by a dialog that opened before.
func (q *Queue) Orphan(match func(*Dialog) bool, why string) {
	for _, e := range q.open {
		if e.Native() && e.State != Orphaned && match(&e.Dialog) {
			q.orphan(e, why)
		}
	}
}

// EpochEnded tells that the connection of epoch is gone. Native dialogs stay open
// in the browser where no new session can answer them: they become orphans and
// keep their deadlines. A bridge lets its page go on when its client leaves, so
// bridged ones are closed and returned.
func (q *Queue) EpochEnded(now time.Time, epoch uint64) []Closed {
	for _, e := range q.open {
		if e.Epoch == epoch && e.Native() && e.State != Orphaned {
			q.orphan(e, "the connection to the browser dropped while it was open")
			e.lost = true
		}
	}
	return q.Gone(now, func(d *Dialog) bool { return d.Epoch == epoch && !d.Native() }, ReasonDisconnect)
}

// Rebind tells that the native dialogs that match are now seen by another session
// of another epoch. With answerable, as on a standby connection that was there
// when they opened, those that only the drop made orphans are held again, until
// their old deadline, and lack a verdict; without, only their close can be seen. It
// returns the dialogs that matched.
func (q *Queue) Rebind(match func(*Dialog) bool, sessionID string, epoch uint64, answerable bool) []Dialog {
	var out []Dialog
	for _, e := range q.open {
		if !e.Native() || !match(&e.Dialog) {
			continue
		}
		e.SessionID, e.Epoch = sessionID, epoch
		if answerable && e.lost && !e.freeing {
			e.State, e.Answer, e.lost = Held, nil, false
			e.Generation = q.generation
			e.Deciding = true
			e.Note = ""
		}
		out = append(out, e.Dialog)
		q.touched()
	}
	return out
}

// Matches reports whether the pending dialog id may be the one whose opening another
// session of its page tells of. A frame that is blocked by a dialog opens no other.
func (q *Queue) Matches(id string, o Opened) bool {
	e := q.find(id)
	if e == nil || !e.Native() {
		return false
	}
	message, _ := cut(clean(o.Message), q.opts.MessageCap)
	return e.TargetID == o.TargetID && e.FrameID == o.FrameID && e.Type == o.Type && e.Message == message &&
		e.defaultText == valid(o.DefaultPrompt)
}

// Free records that somebody is about to free the orphan id by a reload or a
// navigation. When it closes, they did it. It reports whether id is an orphan.
func (q *Queue) Free(now time.Time, id string, by ClosedBy) bool {
	e := q.find(id)
	if e == nil || e.State != Orphaned {
		return false
	}
	e.freeing = true
	e.Answer = &Answer{Action: Dismiss, By: by, At: now, Note: "freed"}
	q.touched()
	return true
}

// Tainted reports whether the browser still holds a dialog of a frame of target
// that is gone. Answering any dialog there, or closing the page, can take the whole
// browser down until the page has been navigated with its Page domain disabled;
// so dialogs that open there are orphans. The owner does that and calls Healed.
func (q *Queue) Tainted(target string) bool { return q.taints[target] }

// Healed ends what Tainted tells; also for a target that is gone.
func (q *Queue) Healed(target string) { delete(q.taints, target) }

// Taint makes a target Tainted whose dialog may be one of a frame that is gone.
func (q *Queue) Taint(target string) {
	if q.taints == nil {
		q.taints = make(map[string]bool, 1)
	}
	q.taints[target] = true
}
