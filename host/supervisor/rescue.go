package supervisor

import (
	"slices"

	"cdphost/host/dialog"
	"cdphost/host/link"
)

// Overheard takes over what the standby has seen of dialogs. The standby can answer
// what it saw opening, and nothing else: a dialog that opened before it watched the
// page stays an orphan.
func (v view) Overheard(heard []link.Overheard) {
	s := v.Supervisor
	s.update(func(fx *effects) {
		for _, h := range heard {
			p := s.pageLocked(h.Target.PageID)
			if p == nil || p.left {
				continue
			}
			o, err := dialog.ParseOpening(h.Opening)
			if err != nil {
				s.logger.Warn("a dialog's event could not be read", "task", s.key, "error", err)
				continue
			}
			o.TargetID, o.TabID, o.SessionID, o.Epoch = p.TargetID, p.TabID, h.Target.SessionID, h.Target.Epoch
			s.overheardLocked(fx, p, o, h)
		}
	})
}

// overheardLocked settles what is known of a page with the last dialog that the
// standby saw there. A tab shows one dialog at a time, so another one that is still
// known is over.
func (s *Supervisor) overheardLocked(fx *effects, p *pageState, o dialog.Opened, h link.Overheard) {
	known, ok := s.nativeLocked(p)
	moved := ok && known.SessionID == o.SessionID
	switch {
	case !ok && s.tellsLocked(p, h), ok && !moved && known.State != dialog.Orphaned:
		return // the link's own connection tells of it
	case ok && s.dialogs.Matches(known.ID, o):
		if !moved {
			s.moveLocked(fx, o, h.Closed == nil)
		}
		s.afterwardsLocked(fx, p, known.ID, h)
		return
	case ok && (!h.Over || h.Closed != nil):
		s.goneLocked(func(d *dialog.Dialog) bool { return d.ID == known.ID }, dialog.ReasonElsewhere)
	}
	if h.Closed == nil {
		p.Degraded = removed(p.Degraded, stalledNotice) // that is why
		s.afterwardsLocked(fx, p, s.openLocked(fx, p, o), h)
	}
}

// afterwardsLocked applies what the standby saw of a dialog after its opening.
func (s *Supervisor) afterwardsLocked(fx *effects, p *pageState, id string, h link.Overheard) {
	it := func(d *dialog.Dialog) bool { return d.ID == id }
	switch {
	case h.Closed != nil:
		s.dialogClosed(h.Target, h.Closed)
	case h.FrameGone:
		s.frameGoneLocked(fx, p, it, dialog.ReasonFrameGone)
	case h.Doubtful:
		s.dialogs.Orphan(it, "its frame may have been removed while the connection was down")
		s.dialogs.Taint(p.TargetID)
		s.unwatchTaintedLocked(fx, p)
	}
}

// vanishedLocked ends the dialogs of frames that went away while nobody could tell: they
// are not there when all frames of the page are known again.
func (s *Supervisor) vanishedLocked(fx *effects, p *pageState) {
	for _, ss := range s.sessions {
		if ss.target.PageID == p.TargetID && !ss.ready {
			return
		}
	}
	d, ok := s.nativeLocked(p)
	if !ok {
		return
	}
	if _, there := p.table.Freeze().Lookup(d.FrameID); there || d.FrameID == "" {
		return
	}
	it := func(x *dialog.Dialog) bool { return x.ID == d.ID }
	if d.Epoch == link.StandbyEpoch {
		s.frameGoneLocked(fx, p, it, dialog.ReasonFrameGone)
		return
	}
	if d.State == dialog.Orphaned { // no session holds it any more
		s.goneLocked(it, dialog.ReasonElsewhere)
	}
}

// tellsLocked reports whether the link's own connection saw the dialog opening, or will
// tell of it in a moment.
func (s *Supervisor) tellsLocked(p *pageState, h link.Overheard) bool {
	return s.connected && h.Epoch == s.epoch && p.SessionID != "" && !slices.Contains(p.Degraded, stalledNotice)
}

// nativeLocked returns the native dialog of a page that is pending.
func (s *Supervisor) nativeLocked(p *pageState) (dialog.Dialog, bool) {
	for _, d := range s.dialogs.Pending() {
		if d.TargetID == p.TargetID && d.Native() {
			return d, true
		}
	}
	return dialog.Dialog{}, false
}

// moveLocked has an orphan seen by the standby's session from now on, which can answer
// it while it is open.
func (s *Supervisor) moveLocked(fx *effects, o dialog.Opened, open bool) {
	for _, d := range s.dialogs.Rebind(orphanOf(o.TargetID), o.SessionID, o.Epoch, open) {
		if d.State == dialog.Held {
			fx.decide = append(fx.decide, d)
		}
		s.dirty = true
	}
}
