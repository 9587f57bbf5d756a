package supervisor

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"cdphost/host/cdp"
	"cdphost/host/dialog"
	"cdphost/host/link"
	"cdphost/sdk/fault"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
)

// adoptTime bounds the wait for an adopted page's answer. A page that goes on
// answers in milliseconds.
const adoptTime = 5 * time.Second

// Call sends one command on a session of the task's current epoch, or at browser
// level with an empty session id, and returns the raw result. It checks that the
// session is the task's, and nothing else: admission is capture's.
//
// Errors: fault.SessionNotFound and fault.BrowserGone when nothing was sent,
// *cdp.Error for what Chrome refused, *cdp.CallError otherwise.
func (s *Supervisor) Call(ctx context.Context, cmd cdp.Command, opts ...cdp.CallOption) (json.RawMessage, error) {
	return s.member.Call(ctx, cmd, opts...)
}

// CallAt is Call pinned to an epoch: in a later one the error is
// fault.CaptureInvalid and nothing is sent.
func (s *Supervisor) CallAt(ctx context.Context, epoch uint64, cmd cdp.Command, opts ...cdp.CallOption) (json.RawMessage, error) {
	return s.member.CallAt(ctx, epoch, cmd, opts...)
}

// Drop cuts the connection, as a network fault would; the link restores it.
func (s *Supervisor) Drop() { s.link.Drop() }

// StandbyReady reports whether dialogs of a page would stay answerable if the
// connection dropped now.
func (s *Supervisor) StandbyReady(tabID string) bool {
	p, ok := s.Snapshot().Page(tabID)
	if !ok {
		return false
	}
	return s.member.StandbyWatches(p.TargetID)
}

// Shared reports whether other tasks may use the same browser.
func (s *Supervisor) Shared() bool { return s.spec.Shareable() }

// OwnsSession reports whether a session is the task's in the current epoch.
func (s *Supervisor) OwnsSession(id string) bool { return s.member.OwnsSession(id) }

// OwnsTarget reports whether a target is one of the task's pages or iframes.
func (s *Supervisor) OwnsTarget(id string) bool { return s.member.OwnsTarget(id) }

// TargetOf returns what one of the task's sessions is attached to.
func (s *Supervisor) TargetOf(sessionID string) (link.Target, bool) {
	return s.member.TargetOf(sessionID)
}

// BeforeNavigate notes that a navigation is about to be sent to a page, which
// makes the browser dismiss its open dialogs.
func (s *Supervisor) BeforeNavigate(targetID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dialogs.Explain(ofTarget(targetID), dialog.ReasonNavigation)
}

// Post sends one command without waiting; reply, which may be nil, runs on the
// reader goroutine.
func (s *Supervisor) Post(cmd cdp.Command, reply func(json.RawMessage, error)) {
	var fx effects
	fx.posts = append(fx.posts, post{cmd, reply})
	s.carryOut(&fx)
}

// ContextID returns the task's own browser context, "" where it has none.
func (s *Supervisor) ContextID() string { return s.member.Context() }

// OpenPage makes a page at about:blank and returns it when it is set up. It does
// not become the current page unless it is the only one: see SetCurrent.
func (s *Supervisor) OpenPage(ctx context.Context) (*Page, error) {
	id, err := s.member.OpenPage(ctx)
	if err != nil {
		return nil, err
	}
	return s.madePage(id, true)
}

// Adopt takes over a page that exists in the browser, by target id, and returns it
// when it is set up, or when it is known that it does not answer.
func (s *Supervisor) Adopt(ctx context.Context, targetID string) (*Page, error) {
	if err := s.member.Adopt(ctx, targetID); err != nil {
		return nil, err
	}
	p, err := s.madePage(targetID, false)
	if err != nil {
		return nil, err
	}
	// The page runs all the while. What the task needs on it is in force once the
	// page has answered, which one that a dialog holds does not.
	bound, cancel := context.WithTimeout(ctx, adoptTime)
	defer cancel()
	snap, err := s.Wait(bound, func(snap *Snapshot) bool {
		q, open := snap.Page(p.TabID)
		return !open || q.Ready || q.Crashed || q.Discarded || q.BlockedBy != "" || slices.Contains(q.Degraded, stalledNotice)
	})
	switch {
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		return p, nil // it is adopted all the same, and its notices say what is missing
	case err != nil:
		return nil, err
	}
	if q, open := snap.Page(p.TabID); open {
		return q, nil
	}
	return nil, fault.New(fault.BrowserGone, "the page was closed before it was ready")
}

func (s *Supervisor) madePage(targetID string, made bool) (*Page, error) {
	var out *Page
	s.update(func(*effects) {
		p := s.pageLocked(targetID)
		if p == nil {
			return
		}
		p.made = made
		if s.current == "" {
			s.current = p.TabID
			s.dirty = true
		}
		out = p.freeze()
	})
	if out == nil {
		return nil, fault.New(fault.BrowserGone, "the page was closed before it was ready")
	}
	return out, nil
}

// SetCurrent makes a page the one that is used when none is named.
func (s *Supervisor) SetCurrent(tabID string) {
	s.update(func(*effects) {
		if s.current != tabID && s.tabLocked(tabID) != nil {
			s.current = tabID
			s.dirty = true
		}
	})
}

// ClosePage closes a page. A dialog that is open on it is answered first, because
// closing the page of an iframe's open dialog takes the browser down.
func (s *Supervisor) ClosePage(ctx context.Context, tabID string) error {
	p, ok := s.Snapshot().Page(tabID)
	if !ok {
		return fault.New(fault.TabNotFound, "there is no tab %s", tabID)
	}
	s.BeforeClose(ctx, p.TargetID)
	if err := s.member.ClosePage(ctx, p.TargetID); err != nil {
		return err
	}
	_, err := s.Wait(ctx, func(snap *Snapshot) bool { _, open := snap.PageByTarget(p.TargetID); return !open })
	return err
}

// Reload reloads a page, which also frees it from a dialog that can't be
// answered.
func (s *Supervisor) Reload(ctx context.Context, tabID string) error {
	p, ok := s.Snapshot().Page(tabID)
	if !ok {
		return fault.New(fault.TabNotFound, "there is no tab %s", tabID)
	}
	_, err := s.Call(ctx, cdp.Command{SessionID: p.SessionID, Method: page.CommandReload})
	return err
}

// Targets lists the pages of the browser that the task could adopt.
func (s *Supervisor) Targets(ctx context.Context) ([]*target.Info, error) {
	raw, err := s.Call(ctx, cdp.Command{Method: target.CommandGetTargets}, cdp.WithControl())
	if err != nil {
		return nil, err
	}
	var r target.GetTargetsResult
	if err := cdp.Unmarshal(raw, &r); err != nil {
		return nil, fault.Wrap(err, fault.EndpointNotCDP, "Target.getTargets answered with something else than targets")
	}
	var pages []*target.Info
	for _, info := range r.TargetInfos {
		if info.Type == "page" {
			pages = append(pages, info)
		}
	}
	return pages, nil
}
