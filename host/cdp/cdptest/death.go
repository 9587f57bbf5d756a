package cdptest

import "slices"

// Died tells whether a client made the browser crash, as Chromium does when a native dialog outlives
// the frame that opened it, and how. A browser that died has cut all sockets and takes no new ones.
func (s *Server) Died() (cause string, died bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.died, s.died != ""
}

// die is the end of the browser process.
func (s *Server) die(cause string) {
	s.died = cause
	for _, t := range s.targets {
		t.gone = true
	}
	s.targets = nil
	for _, c := range s.clients {
		c.cut()
	}
}

// deadlyToClose tells whether closing the page crashes the browser: a dialog of a frame in another
// process is open, or was when the frame went, and a session could handle it.
func (t *target) deadlyToClose() bool {
	return slices.ContainsFunc(t.dialogs, func(d *dialog) bool {
		return len(d.handlers) > 0 && (d.frame.gone || d.frame.target.kind == kindIframe)
	})
}

// dialogOfGoneFrame returns a dialog that Chrome still keeps though its frame was removed.
func (t *target) dialogOfGoneFrame() *dialog {
	for _, d := range t.dialogs {
		if d.frame.gone {
			return d
		}
	}
	return nil
}
