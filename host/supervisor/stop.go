package supervisor

import (
	"context"

	"cdphost/host/dialog"
)

// stop ends the supervisor: the pages that it made are closed, those of others are
// left as they are, and its goroutines are waited for.
func (s *Supervisor) stop() {
	closing, ending := s.endingPages()
	s.leaveOthers(ending)
	s.BeforeClose(context.Background(), ending...)
	s.leavePages(ending)
	s.cancel()
	s.member.Leave(context.Background(), closing)
	s.update(func(*effects) {
		s.goneLocked(func(*dialog.Dialog) bool { return true }, dialog.ReasonClose)
		s.pages, s.current, s.connected, s.dirty = nil, "", false, true
	})
	s.mu.Lock()
	s.stopped = true
	s.timer.Stop()
	s.clearSessionsLocked()
	if s.changed != nil {
		close(s.changed)
		s.changed = nil
	}
	for _, sub := range s.subs {
		close(sub.c)
	}
	s.subs = nil
	s.mu.Unlock()
	s.work.Wait()
}

// endingPages returns the pages that end with the task, by target id: those that it
// made, which it closes, and with them all in its own browser context.
func (s *Supervisor) endingPages() (closing, ending []string) {
	own := s.member.Context()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.pages {
		made := s.groupLocked(p).made
		if made {
			closing = append(closing, p.TargetID)
		}
		if made || own != "" && p.ContextID == own {
			ending = append(ending, p.TargetID)
		}
	}
	return closing, ending
}
