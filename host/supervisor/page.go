package supervisor

import (
	"slices"
	"strings"

	"cdphost/host/dialog"
	"cdphost/host/frame"
	"cdphost/host/link"

	"golang.org/x/net/publicsuffix"
)

// pageState is a page while it lives, guarded by Supervisor.mu.
type pageState struct {
	Page
	table  *frame.Table
	frozen *Page // nil when Page or table changed
	made   bool  // the host made it, so the host closes it
	left   bool  // the task is ending and the page is not
	// heading is where the top frame's last navigation goes, or went.
	heading string
}

// freeze returns the page as an immutable value, the same one while it is
// unchanged.
func (p *pageState) freeze() *Page {
	frames := p.table.Freeze()
	if p.frozen == nil || p.frozen.Frames != frames {
		v := p.Page
		v.Frames = frames
		v.Degraded = slices.Clone(p.Degraded)
		p.frozen = &v
	}
	return p.frozen
}

// touch marks the page, and with it the supervisor, as changed.
func (s *Supervisor) touch(p *pageState) {
	p.frozen = nil
	s.dirty = true
}

func (s *Supervisor) pageLocked(targetID string) *pageState {
	for _, p := range s.pages {
		if p.TargetID == targetID {
			return p
		}
	}
	return nil
}

func (s *Supervisor) tabLocked(tabID string) *pageState {
	for _, p := range s.pages {
		if p.TabID == tabID {
			return p
		}
	}
	return nil
}

// addPageLocked makes the page of a target that was not known before.
func (s *Supervisor) addPageLocked(t link.Target) *pageState {
	p := &pageState{table: frame.NewTable(t.TargetID, t.SessionID)}
	p.TabID, p.TargetID, p.ContextID = s.record.NextTab(), t.TargetID, t.ContextID
	p.URL, p.Title = t.URL, t.Title
	if opener := s.pageLocked(t.OpenerID); opener != nil {
		p.OpenerTab = opener.TabID
	}
	s.pages = append(s.pages, p)
	s.dirty = true
	s.tellLocked(p.TabID, HostPageOpened, map[string]string{"tab_id": p.TabID, "opener_tab": p.OpenerTab})
	return p
}

// removePageLocked ends a page. reason is set when nobody asked for its end.
func (s *Supervisor) removePageLocked(p *pageState, reason string) {
	s.pages = slices.DeleteFunc(s.pages, func(q *pageState) bool { return q == p })
	if s.current == p.TabID {
		s.current = ""
		if n := len(s.pages); n > 0 {
			s.current = s.pages[n-1].TabID
			if opener := s.tabLocked(p.OpenerTab); opener != nil {
				s.current = opener.TabID
			}
		}
	}
	s.dirty = true
	s.tellLocked(p.TabID, HostPageClosed, map[string]string{"tab_id": p.TabID, "reason": reason})
}

func (p *pageState) degrade(what string) {
	if !slices.Contains(p.Degraded, what) {
		p.Degraded = append(p.Degraded, what)
	}
}

// markBlockedLocked says for each page which dialog stops it: its own, or one of
// a page that shares its thread.
func (s *Supervisor) markBlockedLocked(pending []dialog.Dialog) {
	for _, p := range s.pages {
		by := ""
		for i := range pending {
			d := &pending[i]
			switch {
			case d.TargetID == p.TargetID:
				by = d.ID
			case by == "" && s.shareThreadLocked(p, s.pageLocked(d.TargetID)):
				by = d.ID
			}
		}
		if by != p.BlockedBy {
			p.BlockedBy = by
			p.frozen = nil
		}
	}
}

// shareThreadLocked reports whether two pages run in one process: they are of
// one site and one opened the other, directly or over others. Chrome tells
// nobody about processes, so this is what its rules make of it.
func (s *Supervisor) shareThreadLocked(a, b *pageState) bool {
	if a == nil || b == nil || a == b {
		return false
	}
	return s.groupLocked(a) == s.groupLocked(b) && sameSite(a.URL, b.URL)
}

// groupLocked names the first page of the chain of openers that p belongs to.
func (s *Supervisor) groupLocked(p *pageState) *pageState {
	for range len(s.pages) {
		opener := s.tabLocked(p.OpenerTab)
		if opener == nil {
			break
		}
		p = opener
	}
	return p
}

// sameSite compares scheme and registrable domain. An empty document has its
// opener's site.
func sameSite(a, b string) bool {
	if isBlank(a) || isBlank(b) {
		return true
	}
	return site(a) == site(b)
}

func isBlank(u string) bool { return u == "" || strings.HasPrefix(u, "about:") }

func site(u string) string {
	scheme, rest, _ := strings.Cut(u, "://")
	host, _, _ := strings.Cut(rest, "/")
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		host = host[:i]
	}
	if domain, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		host = domain
	}
	return scheme + "://" + host
}
