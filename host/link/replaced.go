package link

import (
	"context"
	"errors"

	"cdphost/host/cdp"
	"cdphost/sdk/fault"

	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/target"
)

// A browser that discards a tab to save memory puts another target in its place, with
// the same address and without a renderer. Chromium spares tabs that a client is attached
// to, unless an extension asks; then it ends their sessions, tells of the new target, and
// last of the end of the old one.

// processGone is the reason of Inspector.detached for a session whose page ends with its
// process, as it does when the tab is discarded or closed.
const processGone = "Render process gone."

// unloading notes that a session ends with its page's process.
func (e *epoch) unloading(s *session, ev cdp.Event) {
	decode(e, ev, func(p *inspector.EventDetached) {
		if p.Reason == processGone {
			e.link.mu.Lock()
			s.unloaded = true
			e.link.mu.Unlock()
		}
	})
}

// takeOver gives a new page the place of the one that the browser discards for it, and
// reports whether there is one.
func (e *epoch) takeOver(t *Target) bool {
	l := e.link
	l.mu.Lock()
	old := l.unloadedLocked(t)
	if old == nil {
		l.mu.Unlock()
		return false
	}
	old.unloaded = false
	m, from := old.member, old.target.TargetID
	l.replaceLocked(from, t.TargetID, m)
	l.mu.Unlock()
	m.view.Replaced(from, t.TargetID)
	return true
}

func (l *Link) unloadedLocked(t *Target) *session {
	if t.OpenerID != "" || l.targets[t.TargetID] != nil {
		return nil
	}
	for _, s := range l.sessions {
		if s.unloaded && !s.extra && s.target.Kind == KindPage && s.target.ContextID == t.ContextID && l.urls[s.target.TargetID] == t.URL {
			return s
		}
	}
	return nil
}

func (l *Link) replaceLocked(from, to string, m *Member) {
	l.urls[to] = l.urls[from]
	delete(l.urls, from)
	delete(l.targets, from)
	l.targets[to] = m
	l.journal.moved(itemPage, from, to)
}

// findReplaced looks for the pages of tasks that were discarded while nobody was
// attached: one is gone from the task's own browser context, and one is there instead that
// has its address and that nobody opened. In a context that is not the task's own it may
// be somebody else's, so there nothing is looked for.
func (l *Link) findReplaced(ctx context.Context, conn *cdp.Conn) error {
	l.mu.Lock()
	own := false
	for _, m := range l.targets {
		own = own || m.context != ""
	}
	l.mu.Unlock()
	if !own {
		return nil
	}
	raw, err := conn.Call(ctx, cdp.Command{Method: target.CommandGetTargets}, cdp.WithControl())
	var refused *cdp.Error
	switch {
	case errors.As(err, &refused):
		return nil
	case err != nil:
		return fault.Wrap(err, fault.EndpointUnreachable, "the connection to %s broke while its pages were listed", l.browser.url)
	}
	var res target.GetTargetsResult
	if cdp.Unmarshal(raw, &res) != nil {
		return nil //nolint:nilerr // reconcile says what that means
	}
	for from, to := range l.replacements(res.TargetInfos) {
		l.mu.Lock()
		m := l.targets[from]
		if m != nil {
			l.replaceLocked(from, to, m)
		}
		l.mu.Unlock()
		if m != nil {
			m.view.Replaced(from, to)
		}
	}
	return nil
}

// replacements pairs pages that are gone with those that took their places.
func (l *Link) replacements(infos []*target.Info) map[string]string {
	l.mu.Lock()
	defer l.mu.Unlock()
	alive, taken := map[string]bool{}, map[string]bool{}
	for _, info := range infos {
		alive[string(info.TargetID)] = true
	}
	pairs := map[string]string{}
	for from, m := range l.targets {
		if alive[from] || m.context == "" || l.urls[from] == "" {
			continue
		}
		for _, info := range infos {
			to := string(info.TargetID)
			if info.Type == string(KindPage) && l.targets[to] == nil && string(info.BrowserContextID) == m.context &&
				info.OpenerID == "" && info.URL == l.urls[from] && !taken[to] {
				pairs[from], taken[to] = to, true
				break
			}
		}
	}
	return pairs
}
