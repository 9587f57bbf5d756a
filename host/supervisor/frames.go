package supervisor

import (
	"encoding/json"
	"slices"
	"strings"

	"cdphost/host/cdp"
	"cdphost/host/dialog"
	"cdphost/host/frame"
	"cdphost/host/link"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

const frameGoneNotice = "a frame went away with its dialog open; navigate or reload the page before you go on"

// frameEvent applies the events of frames and execution contexts.
func (s *Supervisor) frameEvent(fx *effects, t link.Target, ev cdp.Event) {
	if !strings.HasPrefix(ev.Method, "Page.") && !strings.HasPrefix(ev.Method, "Runtime.executionContext") &&
		!strings.HasPrefix(ev.Method, "Inspector.") {
		return
	}
	p := s.pageLocked(t.PageID)
	if p == nil {
		return
	}
	switch ev.Method {
	case page.FrameStartedLoading.Method, page.FrameStoppedLoading.Method:
		s.loadingLocked(p, ev)
		return
	case runtime.ExecutionContextsCleared.Method:
		s.healLocked(fx, p, t)
	}
	change, err := p.table.Apply(t.SessionID, ev.Method, ev.Params)
	if err != nil {
		s.logger.Debug("a frame event could not be read", "task", s.key, "method", ev.Method, "error", err)
		return
	}
	s.changedLocked(fx, p, t, change)
}

// changedLocked takes over what an event or an attachment did to a page's table.
func (s *Supervisor) changedLocked(fx *effects, p *pageState, t link.Target, c frame.Change) {
	if c.Kind == frame.None {
		return
	}
	s.touch(p)
	if len(c.Gone) > 0 {
		s.frameGoneLocked(fx, p, func(d *dialog.Dialog) bool { return slices.Contains(c.Gone, d.FrameID) }, dialog.ReasonFrameGone)
	}
	switch c.Kind {
	case frame.Started:
		if c.Top {
			p.heading = c.URL
		}
	case frame.Navigated:
		s.navigatedLocked(fx, p, c)
	case frame.Moved:
		if c.Top {
			s.topLocked(p)
		}
	case frame.Crashed:
		if !c.Top {
			s.frameGoneLocked(fx, p, func(d *dialog.Dialog) bool { return d.FrameID == c.Frame }, dialog.ReasonCrash)
		}
	}
	if c.Reseed {
		s.reseed(fx, t)
	}
}

// reseed reads the frame tree of a session again.
func (s *Supervisor) reseed(fx *effects, t link.Target) {
	fx.post(t.SessionID, page.CommandGetFrameTree, nil, func(result json.RawMessage, err error) {
		if err == nil {
			s.update(func(fx *effects) { s.seedLocked(fx, t, result) })
		}
	})
}

// loadingLocked applies the start and the end of a top frame's loading.
func (s *Supervisor) loadingLocked(p *pageState, ev cdp.Event) {
	var e page.EventFrameStartedLoading // both events carry the frame id alone
	if cdp.Unmarshal(ev.Params, &e) != nil || string(e.FrameID) != p.TargetID {
		return
	}
	p.Loading = ev.Method == page.FrameStartedLoading.Method
	s.touch(p)
}

// navigatedLocked applies the commit of a new document.
func (s *Supervisor) navigatedLocked(fx *effects, p *pageState, c frame.Change) {
	if !c.Top {
		s.documentReplacedLocked(fx, func(d *dialog.Dialog) bool { return d.FrameID == c.Frame && d.TargetID == p.TargetID })
		return
	}
	s.documentReplacedLocked(fx, ofTarget(p.TargetID))
	p.Title, p.Crashed = "", false
	s.restoredLocked(p)
	p.LateInit = p.LateInit && p.LoaderID == ""
	p.Navigations++
	s.topLocked(p)
}

// frameGoneLocked ends the dialogs of a frame that went away. A native dialog of
// an iframe's own process stays in the browser's hands then, and answering it, or
// closing the page, would take the browser down: the page's session is made to
// forget it (Page.disable), and is watched again after the page has navigated.
func (s *Supervisor) frameGoneLocked(fx *effects, p *pageState, match func(*dialog.Dialog) bool, reason string) {
	s.goneLocked(func(d *dialog.Dialog) bool { return d.TargetID == p.TargetID && match(d) }, reason)
	s.unwatchTaintedLocked(fx, p)
}

func (s *Supervisor) unwatchTaintedLocked(fx *effects, p *pageState) {
	if !s.dialogs.Tainted(p.TargetID) || p.NeedsReload {
		return
	}
	p.NeedsReload = true
	p.degrade(frameGoneNotice)
	s.forgetLocked(fx, p, nil)
	s.touch(p)
}

// healLocked watches a page again once it has a new document.
func (s *Supervisor) healLocked(fx *effects, p *pageState, t link.Target) {
	if !p.NeedsReload || t.SessionID != p.SessionID {
		return
	}
	p.NeedsReload = false
	p.Degraded = removed(p.Degraded, frameGoneNotice)
	s.dialogs.Healed(p.TargetID)
	s.touch(p)
	fx.post(p.SessionID, page.CommandEnable, nil, nil)
	s.member.StandbyWatch(p.TargetID, true, nil)
	s.reseed(fx, t)
}

// frameOfContext names the frame that an execution context belongs to, or "".
func (s *Supervisor) frameOfContext(p *pageState, sessionID string, contextID int64) string {
	frozen := p.table.Freeze()
	for f := range frozen.Frames() {
		if f.DefaultContextID != contextID {
			continue
		}
		if own, ok := frozen.SessionOf(f.ID); ok && own == sessionID {
			return f.ID
		}
	}
	return ""
}
