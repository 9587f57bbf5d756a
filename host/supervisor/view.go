package supervisor

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"cdphost/host/cdp"
	"cdphost/host/dialog"
	"cdphost/host/frame"
	"cdphost/host/link"

	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// view is the link's side of a supervisor: what the link calls must not be
// mistaken for what tools call.
type view struct{ *Supervisor }

var _ link.View = view{}

func (v view) EpochBegan(epoch uint64, fresh bool) {
	s := v.Supervisor
	s.update(func(*effects) {
		if epoch < s.epoch {
			return
		}
		s.epoch, s.connected, s.dirty = epoch, true, true
		s.attached, s.detach = context.WithCancel(s.ctx)
		s.tellLocked("", HostAttached, map[string]any{"epoch": epoch, "fresh": fresh})
		if fresh {
			s.loseLocked("the browser ended")
		}
	})
}

// loseLocked ends all pages and remembers them for the agent.
func (s *Supervisor) loseLocked(reason string) {
	now := time.Now()
	for len(s.pages) > 0 {
		p := s.pages[0]
		s.goneLocked(ofTarget(p.TargetID), dialog.ReasonClose)
		s.lost = append(s.lost, LostPage{TabID: p.TabID, URL: p.URL, Reason: reason, At: now})
		s.dialogs.Healed(p.TargetID)
		s.removePageLocked(p, reason)
	}
	if n := len(s.lost); n > 20 {
		s.lost = s.lost[n-20:]
	}
}

func ofTarget(id string) func(*dialog.Dialog) bool {
	return func(d *dialog.Dialog) bool { return d.TargetID == id }
}

func (v view) Reconciled(_ uint64, alive map[string]bool) {
	s := v.Supervisor
	s.update(func(*effects) {
		for _, p := range append([]*pageState(nil), s.pages...) {
			if !alive[p.TargetID] {
				s.goneLocked(ofTarget(p.TargetID), dialog.ReasonClose)
				s.removePageLocked(p, "closed, or discarded by the browser, while the connection was down")
			}
		}
	})
}

func (v view) EpochEnded(epoch uint64, err error, lost bool) {
	s := v.Supervisor
	s.update(func(*effects) {
		if epoch < s.epoch {
			return
		}
		if s.connected {
			s.connected = false
			s.detach()
			s.tellLocked("", HostDetached, map[string]any{"epoch": epoch, "lost": lost})
		}
		s.dirty = true
		s.clearSessionsLocked()
		s.dropClaimsLocked(func(*dialog.Dialog) bool { return true })
		closed := s.dialogs.EpochEnded(time.Now(), epoch)
		for i := range closed {
			s.closedLocked(&closed[i])
		}
		if !lost {
			s.member.AskStandby()
		}
		for _, p := range s.pages {
			p.SessionID, p.Ready = "", false
			p.table.Reset()
			s.touch(p)
		}
	})
	if lost && s.onLost != nil {
		s.logger.Debug("the task's browser is lost", "task", s.key, "error", err)
		s.onLost(s)
	}
}

func orphanOf(targetID string) func(*dialog.Dialog) bool {
	return func(d *dialog.Dialog) bool { return d.TargetID == targetID && d.State == dialog.Orphaned }
}

func (v view) CapabilitiesChanged() {
	v.update(func(*effects) { v.dirty = true })
}

func (v view) Setup(t link.Target) []cdp.Command {
	var cmds []cdp.Command
	if f := v.settings.Load().Setup; f != nil {
		cmds = f(t)
	}
	return append(cmds, v.openSession(t)...)
}

func (v view) Attached(t link.Target) {
	s := v.Supervisor
	s.update(func(fx *effects) {
		p := s.pageLocked(t.PageID)
		if t.Kind == link.KindIframe {
			if p != nil {
				s.changedLocked(fx, p, t, p.table.Attached(t.SessionID, t.TargetID, t.ParentFrameID, t.URL))
			}
			return
		}
		if p == nil {
			p = s.addPageLocked(t)
		} else {
			p.table = frame.NewTable(t.TargetID, t.SessionID)
			s.dialogs.Rebind(orphanOf(t.TargetID), t.SessionID, t.Epoch, false)
			s.replacedLocked(t)
		}
		p.SessionID, p.ContextID, p.Ready = t.SessionID, t.ContextID, false
		p.Prerender = t.Subtype == "prerender"
		p.LateInit = !t.Paused && t.URL != "" && t.URL != "about:blank"
		p.Crashed, p.NeedsReload = false, s.dialogs.Tainted(t.TargetID)
		p.Degraded = nil
		if p.NeedsReload {
			p.degrade(frameGoneNotice)
		}
		if p.Discarded {
			p.degrade(discardedNotice)
		}
		s.touch(p)
	})
}

func (v view) SetupReply(t link.Target, method string, result json.RawMessage, err error) {
	s := v.Supervisor
	if err != nil {
		var refused *cdp.Error
		if !errors.As(err, &refused) {
			return // the session or the connection is gone: told elsewhere
		}
		s.update(func(fx *effects) {
			s.setUpAnswered(fx, t, method, nil, true)
			if p := s.pageLocked(t.PageID); p != nil {
				p.degrade(method + " is refused: " + refused.Message)
				s.touch(p)
			}
		})
		return
	}
	switch method {
	case page.CommandGetFrameTree:
		s.update(func(fx *effects) { s.seedLocked(fx, t, result) })
	case pageAddScript:
		s.update(func(fx *effects) { s.setUpAnswered(fx, t, method, result, false) })
	}
}

// seedLocked takes the frame tree of a session as ground truth.
func (s *Supervisor) seedLocked(fx *effects, t link.Target, tree []byte) {
	p := s.pageLocked(t.PageID)
	if p == nil {
		return
	}
	if err := p.table.Seed(t.SessionID, tree); err != nil {
		p.degrade("its frame tree could not be read")
	}
	if t.Kind == link.KindPage {
		s.restoredLocked(p)
		s.topLocked(p)
		s.missedLocked(fx, t, p)
	}
	s.touch(p)
}

// topLocked takes url and loader of the top frame over to the page.
func (s *Supervisor) topLocked(p *pageState) {
	top := p.table.Freeze().Top()
	if top.URL != "" {
		p.URL = top.URL
	}
	if top.LoaderID != "" {
		p.LoaderID = top.LoaderID
	}
}

func (v view) Ready(t link.Target) {
	s := v.Supervisor
	s.update(func(fx *effects) {
		if ss := s.sessions[t.SessionID]; ss != nil {
			ss.ready = true
			s.checkBridgeLocked(fx, ss)
		}
		if p := s.pageLocked(t.PageID); p != nil {
			s.vanishedLocked(fx, p)
		}
		if p := s.pageLocked(t.PageID); p != nil && p.SessionID == t.SessionID {
			p.Ready = true
			p.Degraded = removed(p.Degraded, stalledNotice)
			if p.NeedsReload { // the set-up has switched its Page domain on
				s.forgetLocked(fx, p, nil)
			}
			s.touch(p)
		}
	})
}

// stalledNotice is what a page's snapshot says while its set-up is not answered.
const stalledNotice = "its set-up gets no answer: a dialog that opened unseen may hold it, or the browser has discarded it; reload the page to free it"

func (v view) Stalled(t link.Target) {
	s := v.Supervisor
	s.update(func(*effects) {
		p := s.pageLocked(t.PageID)
		if p == nil || p.SessionID != t.SessionID || p.Discarded {
			return
		}
		for _, d := range s.dialogs.Pending() {
			if d.TargetID == p.TargetID {
				return // that is why
			}
		}
		p.degrade(stalledNotice)
		s.touch(p)
		s.member.AskStandby() // it may have been opening while the page was attached
	})
}

func (v view) Detached(t link.Target) {
	s := v.Supervisor
	s.update(func(fx *effects) {
		defer s.closeSessionLocked(t)
		p := s.pageLocked(t.PageID)
		if p == nil {
			return
		}
		s.touch(p)
		if t.Kind == link.KindPage {
			if p.SessionID == t.SessionID {
				p.SessionID, p.Ready = "", false
			}
			s.dialogs.Orphan(func(d *dialog.Dialog) bool { return d.SessionID == t.SessionID }, "its session was detached")
			if p.SessionID != "" { // it was the standby's: the close of it is still told
				s.dialogs.Rebind(orphanOf(p.TargetID), p.SessionID, s.epoch, false)
			}
			return
		}
		inside := framesOf(p, t.SessionID)
		s.changedLocked(fx, p, t, p.table.Detached(t.SessionID))
		s.frameGoneLocked(fx, p, func(d *dialog.Dialog) bool { return inside[d.FrameID] }, dialog.ReasonFrameGone)
	})
}

// framesOf returns the ids of the frames that live on a session.
func framesOf(p *pageState, sessionID string) map[string]bool {
	frozen := p.table.Freeze()
	in := map[string]bool{}
	for f := range frozen.Frames() {
		if own, ok := frozen.SessionOf(f.ID); ok && own == sessionID {
			in[f.ID] = true
		}
	}
	return in
}

func (v view) Crashed(targetID string) {
	s := v.Supervisor
	s.update(func(fx *effects) {
		if p := s.pageLocked(targetID); p != nil {
			s.crashLocked(fx, p)
			return
		}
		for _, p := range s.pages {
			if _, ok := p.table.Freeze().Lookup(targetID); ok {
				s.frameGoneLocked(fx, p, func(d *dialog.Dialog) bool { return d.FrameID == targetID }, dialog.ReasonCrash)
				s.touch(p)
			}
		}
	})
}

func (s *Supervisor) crashLocked(fx *effects, p *pageState) {
	p.Crashed, p.Loading = true, false
	s.frameGoneLocked(fx, p, func(*dialog.Dialog) bool { return true }, dialog.ReasonCrash)
	s.touch(p)
}

func (v view) TargetChanged(targetID, url, title string) {
	s := v.Supervisor
	s.update(func(*effects) {
		p := s.pageLocked(targetID)
		if p == nil || p.NeedsReload {
			return
		}
		// The browser's word lags behind a navigation: it counts only for the url
		// that the page itself has told, and a title that is only the url is none.
		if url != p.URL || p.Title == title || title == "" || strings.TrimSuffix(url, "/") == title {
			return
		}
		p.Title = title
		s.touch(p)
	})
}

func (v view) Destroyed(targetID string) {
	s := v.Supervisor
	s.update(func(*effects) {
		p := s.pageLocked(targetID)
		if p == nil {
			return
		}
		s.goneLocked(ofTarget(targetID), dialog.ReasonClose)
		s.dialogs.Healed(targetID)
		s.removePageLocked(p, "")
	})
}

func (v view) Event(t link.Target, ev cdp.Event) {
	s := v.Supervisor
	s.update(func(fx *effects) {
		if s.intercepted(fx, t, ev) {
			return
		}
		s.leaving(fx, ev)
		switch ev.Method {
		case page.JavascriptDialogOpening.Method:
			s.dialogOpening(fx, t, ev.Params)
		case page.JavascriptDialogClosed.Method:
			s.dialogClosed(t, ev.Params)
		case runtime.ConsoleAPICalled.Method, runtime.ExceptionThrown.Method:
			s.consoleEvent(fx, t, ev)
		case page.LoadEventFired.Method, page.DomContentEventFired.Method:
			s.loadedLocked(fx, t, ev.Method)
		case inspector.TargetCrashed.Method:
			if p := s.pageLocked(t.TargetID); p != nil {
				s.crashLocked(fx, p)
			}
			s.frameEvent(fx, t, ev)
		case inspector.TargetReloadedAfterCrash.Method:
			if p := s.pageLocked(t.TargetID); p != nil {
				p.Crashed = false
				s.touch(p)
			}
			s.frameEvent(fx, t, ev)
		default:
			s.frameEvent(fx, t, ev)
		}
		if s.wantedLocked() {
			tab := ""
			if p := s.pageLocked(t.PageID); p != nil {
				tab = p.TabID
			}
			s.offerLocked(tab, ev, Audience{Except: s.exceptLocked(ev)})
		}
	})
}

func (v view) ExtraEvent(t link.Target, ev cdp.Event) {
	s := v.Supervisor
	var fx effects
	defer func() { s.carryOut(&fx) }()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.passedOn(&fx, t, ev) || !s.wantedLocked() {
		return
	}
	tab := ""
	if p := s.pageLocked(t.PageID); p != nil {
		tab = p.TabID
	}
	s.offerLocked(tab, ev, Audience{})
}
