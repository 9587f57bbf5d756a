package supervisor

import (
	"time"

	"cdphost/host/dialog"

	"github.com/chromedp/cdproto/page"
)

// armLocked sets the timer to the next deadline of a dialog.
func (s *Supervisor) armLocked() {
	s.timer.Stop()
	if s.stopped {
		return
	}
	if at, ok := s.dialogs.NextDeadline(); ok {
		s.timer.Reset(max(time.Until(at), 0))
	}
}

// expire ends the dialogs whose deadline has come. An orphan can't be answered:
// its page is reloaded, which frees it.
func (s *Supervisor) expire() {
	s.update(func(fx *effects) {
		now := time.Now()
		s.dirty = true // so that the timer is set again
		for _, send := range s.dialogs.Expired(now) {
			s.logger.Info("a dialog's time is up", "task", s.key, "dialog", send.DialogID, "accept", send.Accept)
			fx.send(send)
		}
		for _, d := range s.dialogs.Stuck(now) {
			s.logger.Info("an unanswerable dialog's time is up; its page is reloaded", "task", s.key, "dialog", d.ID, "tab", d.TabID)
			s.freeLocked(fx, d, dialog.Watchdog)
		}
	})
}

// freeLocked reloads the page of an orphaned dialog. One whose document is being left
// goes on to where it was going.
func (s *Supervisor) freeLocked(fx *effects, d dialog.Dialog, by dialog.ClosedBy) {
	s.dialogs.Free(time.Now(), d.ID, by)
	p := s.pageLocked(d.TargetID)
	if p == nil || p.SessionID == "" {
		return
	}
	if d.Leaving && p.heading != "" {
		fx.post(p.SessionID, page.CommandNavigate, &page.NavigateParams{URL: p.heading}, nil)
		return
	}
	fx.post(p.SessionID, page.CommandReload, nil, nil)
}
