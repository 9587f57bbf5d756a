package supervisor

import (
	"context"
	"errors"
	"slices"

	"cdphost/host/cdp"
	"cdphost/host/dialog"

	"github.com/chromedp/cdproto/page"
)

// leaveOthers leaves the pages that outlive the task as they are. A dialog that is open
// on one stays open, for the browser's user to answer; what opens from now on is the
// user's, too.
func (s *Supervisor) leaveOthers(ending []string) {
	stays := func(id string) bool { return !slices.Contains(ending, id) }
	s.update(func(*effects) {
		for _, p := range s.pages {
			p.left = stays(p.TargetID)
		}
	})
	s.endLeaving(ending)
	s.update(func(*effects) {
		s.goneLocked(func(d *dialog.Dialog) bool { return d.Native() && stays(d.TargetID) }, dialog.ReasonLeft)
	})
}

// endLeaving frees the pages that a dialog of the document that they are leaving holds.
// Nobody can answer such a dialog, and the browser aborts when a session that saw it
// opening ends, or the page's browser context. A page that ends with the task is closed,
// another one goes on to where it was going.
func (s *Supervisor) endLeaving(ending []string) {
	type blocked struct{ session, target, heading string }
	var pages []blocked
	s.mu.Lock()
	for _, p := range s.pages {
		if _, open := s.nativeLocked(p); open && p.SessionID != "" {
			pages = append(pages, blocked{p.SessionID, p.TargetID, p.heading})
		}
	}
	s.mu.Unlock()
	for _, p := range pages {
		ctx, cancel := context.WithTimeout(context.Background(), letGoTimeout)
		var err error
		switch {
		case !s.leavesDocument(ctx, p.session):
		case slices.Contains(ending, p.target):
			err = s.member.ClosePage(ctx, p.target)
		case p.heading != "":
			_, err = s.Call(ctx, cdp.Command{SessionID: p.session, Method: page.CommandNavigate, Params: cdp.Marshal(&page.NavigateParams{URL: p.heading})}, cdp.WithControl())
		}
		cancel()
		if err != nil {
			s.logger.Debug("a page that is leaving its document was not freed", "task", s.key, "error", err)
		}
	}
}

// leavesDocument reports whether the document that a page's session is attached to is
// not the page's any more: the browser refuses then what it does without the renderer.
func (s *Supervisor) leavesDocument(ctx context.Context, session string) bool {
	_, err := s.Call(ctx, cdp.Command{SessionID: session, Method: page.CommandGetNavigationHistory}, cdp.WithControl())
	var refused *cdp.Error
	return errors.As(err, &refused)
}
