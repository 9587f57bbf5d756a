package supervisor

import (
	"context"

	"cdphost/host/dialog"
)

// stop ends the supervisor: its open dialogs are let go, its pages closed, its
// goroutines waited for.
func (s *Supervisor) stop() {
	var all, closing []string
	s.mu.Lock()
	for _, p := range s.pages {
		all = append(all, p.TargetID)
		if s.groupLocked(p).made {
			closing = append(closing, p.TargetID)
		}
	}
	s.mu.Unlock()
	s.BeforeClose(context.Background(), all...)
	s.leavePages(closing)
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
