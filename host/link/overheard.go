package link

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"cdphost/host/cdp"

	browserdom "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
)

// StandbyEpoch is the epoch of a Target that the standby has: no epoch of a link has
// this number, so none ends it.
const StandbyEpoch = 0

// Overheard is the last dialog that the standby saw on a page.
type Overheard struct {
	Target  Target // with the standby's session
	Opening []byte // params of Page.javascriptDialogOpening
	Closed  []byte // params of Page.javascriptDialogClosed, nil while it is open
	// Over is true when it opened while another one of the page was open, which the
	// browser then closed.
	Over bool
	// FrameGone is true when its frame was removed while it was open, and Doubtful when
	// another frame was, which may have held that one. No Closed follows then, and an
	// answer may take the browser down.
	FrameGone, Doubtful bool
	// Epoch is that of the session which the link's own connection had on the page when
	// the dialog opened; 0 where it had none, so that it can't have heard of it.
	Epoch uint64
}

// handle runs on the standby's reader goroutine. It keeps each page's last dialog, and
// tells of it what the link's own connection can't tell.
func (s *standby) handle(ev cdp.Event) {
	switch ev.Method {
	case target.DetachedFromTarget.Method:
		var p target.EventDetachedFromTarget
		if cdp.Unmarshal(ev.Params, &p) == nil {
			s.detached(string(p.SessionID))
		}
	case page.JavascriptDialogOpening.Method:
		if o, ok := s.opened(ev); ok && o.Epoch == 0 {
			s.catchUp(s.link.memberOf(o.Target.TargetID))
		}
	case page.JavascriptDialogClosed.Method:
		if o, ok := s.closed(ev); ok {
			if m := s.link.memberOf(o.Target.TargetID); m != nil {
				m.view.Overheard([]Overheard{o})
			}
		}
	case page.FrameDetached.Method:
		if o, ok := s.removed(ev); ok && s.link.sessionEpoch(o.Target.TargetID) == 0 {
			s.catchUp(s.link.memberOf(o.Target.TargetID))
		}
	}
}

func (s *standby) opened(ev cdp.Event) (Overheard, bool) {
	s.mu.Lock()
	f := s.sessions[ev.SessionID]
	s.mu.Unlock()
	if f == nil {
		return Overheard{}, false
	}
	epoch := s.link.sessionEpoch(f.target.TargetID)
	s.mu.Lock()
	defer s.mu.Unlock()
	last := f.last
	over := last.Opening != nil && last.Closed == nil && frameIn(last.Opening) != frameIn(ev.Params)
	f.last = Overheard{Target: f.target, Opening: bytes.Clone(ev.Params), Over: over, Epoch: epoch}
	return f.last, true
}

// closed reports whether the last dialog of a page has closed. The end of the one
// before, which it closed, comes later than its opening.
func (s *standby) closed(ev cdp.Event) (Overheard, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.sessions[ev.SessionID]
	if f == nil || f.last.Opening == nil || frameIn(f.last.Opening) != frameIn(ev.Params) {
		return Overheard{}, false
	}
	f.last.Closed = bytes.Clone(ev.Params)
	return f.last, true
}

// removed reports whether a frame was removed while a page's last dialog, one of a
// frame, was open.
func (s *standby) removed(ev cdp.Event) (Overheard, bool) {
	var p page.EventFrameDetached
	if cdp.Unmarshal(ev.Params, &p) != nil || p.Reason != page.FrameDetachedReasonRemove {
		return Overheard{}, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.sessions[ev.SessionID]
	if f == nil || f.last.Opening == nil || f.last.Closed != nil {
		return Overheard{}, false
	}
	switch frameIn(f.last.Opening) {
	case string(p.FrameID):
		f.last.FrameGone = true
	case f.target.TargetID: // the top frame
		return Overheard{}, false
	default:
		f.last.Doubtful = true
	}
	return f.last, true
}

// frameIn returns the frame that the event of a dialog names.
func frameIn(params []byte) string {
	var p struct {
		FrameID string `json:"frameId"`
	}
	if json.Unmarshal(params, &p) != nil {
		return ""
	}
	return p.FrameID
}

// detached forgets a session of the standby's.
func (s *standby) detached(session string) {
	s.mu.Lock()
	f := s.sessions[session]
	delete(s.sessions, session)
	if f != nil && s.pages[f.target.TargetID] == f {
		delete(s.pages, f.target.TargetID)
	}
	s.mu.Unlock()
	s.conn.FailSession(session, cdp.ErrSessionGone)
	if f != nil {
		s.tellDetached(f.target)
	}
}

// tellEnd tells of the end of all sessions when the connection has ended.
func (s *standby) tellEnd() {
	<-s.conn.Done()
	s.mu.Lock()
	var gone []Target
	for _, f := range s.sessions {
		gone = append(gone, f.target)
	}
	clear(s.sessions)
	clear(s.pages)
	s.mu.Unlock()
	for _, t := range gone {
		s.tellDetached(t)
	}
}

func (s *standby) tellDetached(t Target) {
	if m := s.link.memberOf(t.TargetID); m != nil {
		m.view.Detached(t)
	}
}

// sessionEpoch returns the epoch of the session that the link's own connection has on
// a page, 0 when it has none.
func (l *Link) sessionEpoch(targetID string) uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.sessions {
		if s.target.TargetID == targetID && !s.extra {
			return s.target.Epoch
		}
	}
	return 0
}

// AskStandby has View.Overheard called with the dialogs that the standby saw on the
// member's pages. The browser tells each of its connections at the same moment, and
// the call comes after everything that it had told until now: what the link's own
// connection has heard, the standby has heard by then. Without a standby, or when that
// ends before, there is no call.
func (m *Member) AskStandby() {
	if s := m.link.currentStandby(); s != nil {
		s.catchUp(m)
	}
}

// catchUp does what AskStandby promises: what the browser has told is read before its
// answer to a command that is sent now.
func (s *standby) catchUp(m *Member) {
	if m == nil {
		return
	}
	s.conn.Post([]cdp.Command{{Method: browserdom.CommandGetVersion}}, func(_ int, _ json.RawMessage, err error) {
		var refused *cdp.Error
		if err != nil && !errors.As(err, &refused) {
			return
		}
		if heard := s.overheard(m); len(heard) > 0 {
			m.view.Overheard(heard)
		}
	})
}

// overheard lists what is known of a member's pages.
func (s *standby) overheard(m *Member) []Overheard {
	s.mu.Lock()
	var all []Overheard
	for _, f := range s.sessions {
		if f.last.Opening != nil {
			all = append(all, f.last)
		}
	}
	s.mu.Unlock()
	return slices.DeleteFunc(all, func(o Overheard) bool { return m.link.memberOf(o.Target.TargetID) != m })
}
