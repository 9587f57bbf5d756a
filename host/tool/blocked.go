package tool

import (
	"context"
	"errors"
	"fmt"
	"time"

	"cdphost/host/dialog"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// decisionTime is how long a wait goes on while the policy may still decide a
// dialog, in which case it never concerned the agent. A policy has a second.
const decisionTime = 1500 * time.Millisecond

// blockedError says that a dialog holds the page.
func blockedError(s *supervisor.Snapshot, d *dialog.Dialog, sent bool) *fault.Error {
	what := "Nothing was sent."
	if sent {
		what = "What you asked for was begun and may go on once the dialog is closed."
	}
	next := fmt.Sprintf("Answer it with browser_dialog (dialog_id %q), then look with browser_snapshot.", d.ID)
	if d.State == dialog.Orphaned {
		next = "No session can answer it; browser_navigate frees the page, so does closing it."
	}
	return fault.New(fault.BlockedByDialog, "The %s dialog %s blocks the page %s. %s %s", d.Type, d.ID, d.TabID, what, next).
		With("pending_dialogs", pending(s)).With("sent", sent)
}

// pending returns pending_dialogs, never nil.
func pending(s *supervisor.Snapshot) []dialog.Dialog {
	if s.Pending == nil {
		return []dialog.Dialog{}
	}
	return s.Pending
}

// blocks returns the dialog that keeps a session of a page from answering. A
// native dialog blocks the process of the frame that raised it; frames in other
// processes go on.
func blocks(s *supervisor.Snapshot, p *supervisor.Page, session string) (*dialog.Dialog, bool) {
	d, ok := s.Blocked(p.TabID)
	if !ok || session == p.SessionID && d.TabID != p.TabID {
		return d, ok // a page that shares the process holds it
	}
	if p.Frames == nil {
		return d, true
	}
	held, known := p.Frames.SessionOf(d.FrameID)
	return d, !known || held == session
}

// settled reports whether a dialog waits for the agent, as opposed to a policy
// that has not decided or an answer on its way.
func settled(d *dialog.Dialog) bool {
	return d.State == dialog.Orphaned || d.State == dialog.Held && !d.Deciding
}

// watch calls check at each change of the task until it is done or ctx ends.
func watch(ctx context.Context, t Task, check func(*supervisor.Snapshot) (done bool, err error)) error {
	for {
		changed := t.Changed()
		if done, err := check(t.Snapshot()); done || err != nil {
			return err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// during runs f with a context that ends as soon as the session can't answer
// any more: a dialog holds it, or the page crashed, was closed or lost its
// browser. The fault that says so is returned in place of f's error. The dialog
// except is what f ends, "" for none.
func during(ctx context.Context, t Task, tabID, session, except string, f func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	watcher := make(chan struct{})
	go func() {
		defer close(watcher)
		cancel(unanswering(ctx, t, tabID, session, except))
	}()
	err := f(ctx)
	cancel(context.Canceled)
	<-watcher
	if cause, ok := errors.AsType[*fault.Error](context.Cause(ctx)); ok && err != nil {
		return cause
	}
	return err
}

// unanswering waits until the session can't answer any more and says why.
func unanswering(ctx context.Context, t Task, tabID, session, except string) error {
	var patience *time.Timer
	defer func() {
		if patience != nil {
			patience.Stop()
		}
	}()
	for {
		changed := t.Changed()
		s := t.Snapshot()
		if err := gone(s, tabID); err != nil {
			return err
		}
		p, _ := s.Page(tabID)
		d, blocked := blocks(s, p, session)
		blocked = blocked && d.ID != except
		if blocked && settled(d) {
			return blockedError(s, d, true)
		}
		var late <-chan time.Time
		if blocked {
			if patience == nil {
				patience = time.NewTimer(decisionTime)
			}
			late = patience.C
		}
		select {
		case <-changed:
		case <-late:
			return blockedError(s, d, true)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// gone says why a page can't be used any more, nil while it can.
func gone(s *supervisor.Snapshot, tabID string) error {
	p, ok := s.Page(tabID)
	switch {
	case !ok && !s.Connected:
		return fault.New(fault.BrowserGone, "The browser has gone. Call browser_navigate to start it again.")
	case !ok:
		return fault.New(fault.TabNotFound, "The page %s was closed meanwhile. Call browser_snapshot to see what is open.", tabID)
	case p.Discarded:
		return fault.New(fault.NavigationFailed, "The browser has discarded the page %s to save memory. Call browser_navigate to load it again.", tabID)
	case p.Crashed:
		return fault.New(fault.NavigationFailed, "The page %s has crashed. Call browser_navigate to load it again.", tabID)
	}
	return nil
}
