package supervisor

import (
	"context"
	"time"

	"cdphost/host/cdp"

	"github.com/chromedp/cdproto/target"
)

// EnsureContext returns the task's own browser context, made now when there is
// none; "" where the task has none of its own.
func (s *Supervisor) EnsureContext(ctx context.Context) (string, error) {
	return s.member.EnsureContext(ctx)
}

// Made says that a command of the task has made a page, by target id: it is the
// task's from now on, and is closed when the task ends. It returns the page when it
// is set up.
func (s *Supervisor) Made(ctx context.Context, targetID string) (*Page, error) {
	take := s.member.Made
	if s.ContextID() == "" {
		take = s.member.Adopt // nothing but that the task made it tells whose it is
	}
	if err := take(ctx, targetID); err != nil {
		return nil, err
	}
	return s.madePage(targetID, true)
}

// discardTime bounds the closing of a page that nobody waits for.
const discardTime = 10 * time.Second

// Discard closes a page without making the caller wait: its open dialogs are seen
// to first, as closing demands.
func (s *Supervisor) Discard(targetID string) {
	s.goWork(func() {
		ctx, cancel := context.WithTimeout(s.ctx, discardTime)
		defer cancel()
		s.BeforeClose(ctx, s.PageOf(targetID))
		s.Post(cdp.Command{
			Method: target.CommandCloseTarget, Params: cdp.Marshal(&target.CloseTargetParams{TargetID: target.ID(targetID)}),
		}, nil)
	})
}

// PageOf returns the target id of the page that a target of the task is or is in,
// the id itself when that is not known.
func (s *Supervisor) PageOf(targetID string) string {
	snap := s.Snapshot()
	for _, p := range snap.Pages {
		if p.TargetID == targetID {
			return targetID
		}
	}
	if p, _, ok := snap.Frame(targetID); ok {
		return p.TargetID
	}
	return targetID
}
