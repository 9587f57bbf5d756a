package supervisor

import (
	"cdphost/host/dialog"
	"cdphost/host/frame"
)

// discardedNotice is what a page's snapshot says while it has no renderer.
const discardedNotice = "the browser has discarded it to save memory; navigate or reload it to have it back"

func (v view) Replaced(targetID, by string) {
	s := v.Supervisor
	s.update(func(*effects) {
		p := s.pageLocked(targetID)
		if p == nil {
			return
		}
		s.goneLocked(ofTarget(targetID), dialog.ReasonDiscard)
		s.dialogs.Healed(targetID)
		p.TargetID, p.SessionID, p.Ready = by, "", false
		p.LoaderID, p.LoadedLoader, p.DOMLoader = "", "", ""
		p.Crashed, p.NeedsReload, p.Loading, p.Discarded = false, false, false, true
		p.Degraded = []string{discardedNotice}
		p.table = frame.NewTable(by, "")
		s.touch(p)
	})
}

// restoredLocked says that a page has a renderer again.
func (s *Supervisor) restoredLocked(p *pageState) {
	if p.Discarded {
		p.Discarded = false
		p.Degraded = removed(p.Degraded, discardedNotice)
		s.touch(p)
	}
}
