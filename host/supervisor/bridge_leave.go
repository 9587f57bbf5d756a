package supervisor

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"cdphost/host/cdp"
	"cdphost/host/dialog"

	"github.com/chromedp/cdproto/page"
)

// leaving dismisses the bridged dialogs of a frame that is being navigated, as the
// browser does with its own: a request that holds the page would hold up the
// navigation too. A pause does not.
func (s *Supervisor) leaving(fx *effects, ev cdp.Event) {
	if len(s.held) == 0 || ev.Method != page.FrameStartedLoading.Method && ev.Method != frameStartedNavigating {
		return
	}
	var e struct {
		FrameID string `json:"frameId"`
	}
	if json.Unmarshal(ev.Params, &e) != nil || e.FrameID == "" {
		return
	}
	left := func(d *dialog.Dialog) bool {
		return !d.Native() && !d.Readable && d.State == dialog.Held && (d.FrameID == e.FrameID || d.TargetID == e.FrameID)
	}
	for _, d := range s.dialogs.Pending() {
		if c := s.held[d.ID]; c != nil && left(&d) {
			fx.work = append(fx.work, func() { s.dismissLeft(c, d) })
		}
	}
	s.goneLocked(left, dialog.ReasonNavigation)
}

// documentReplacedLocked ends the dialogs of a document that another one has replaced. What the
// browser tells of paused requests and what a renderer tells of documents come in no
// order: the first statement of a new document may be heard of before the document. So
// the browser is asked which requests have gone with the old one; what another says
// of them would leave a page waiting for an answer that nobody gives.
func (s *Supervisor) documentReplacedLocked(fx *effects, match func(*dialog.Dialog) bool) {
	asked := map[*claimed]bool{}
	for c := range s.claims {
		asked[c] = c.request != "" && match(&c.place)
	}
	for _, c := range s.held {
		asked[c] = c.request != "" && match(&c.place)
	}
	for c, ask := range asked {
		if ask {
			s.askWhetherGone(fx, c)
		}
	}
	s.goneLocked(func(d *dialog.Dialog) bool {
		for c := range s.claims {
			if d == &c.place && asked[c] {
				return false
			}
		}
		return match(d) && !asked[s.held[d.ID]]
	}, dialog.ReasonNavigation)
}

// goneRequest is what Chrome says of a request that pauses no longer. Of one that has
// no response yet it says something else, and does nothing.
const goneRequest = "Invalid InterceptionId"

// askWhetherGone ends what holds a request if the browser knows that no longer.
func (s *Supervisor) askWhetherGone(fx *effects, c *claimed) {
	fx.post(c.event.SessionID, fetchGetBody, map[string]string{"requestId": c.request}, func(_ json.RawMessage, err error) {
		var refused *cdp.Error
		if !errors.As(err, &refused) || !strings.Contains(refused.Message, goneRequest) {
			return
		}
		s.update(func(*effects) {
			s.goneLocked(func(d *dialog.Dialog) bool { return d == &c.place || s.held[d.ID] == c }, dialog.ReasonNavigation)
		})
	})
}

// dismissLeft gives the page of a dialog that is over already what a dismissed one
// gives.
func (s *Supervisor) dismissLeft(c *claimed, d dialog.Dialog) {
	ctx, cancel := context.WithTimeout(s.ctx, bridgePatience)
	defer cancel()
	cmds, err := c.in.bridge.Answer(ctx, BridgeAnswer{Task: s.key, Dialog: d})
	if err == nil {
		cmds, err = c.admit(cmds)
	}
	if err != nil {
		s.releasePage(c, bridgeDown)
		return
	}
	if err := s.sendHold(s.ctx, c, cmds); err != nil {
		s.logger.Debug("a dialog of a document that is being left was over already", "task", s.key, "dialog", d.ID, "error", err)
	}
}

// leavePages hands what bridges hold on pages that outlive the task to the
// browser's own dialogs: their user may still want to answer.
func (s *Supervisor) leavePages(ending []string) {
	var left []*claimed
	s.update(func(*effects) {
		for id, c := range s.held {
			if !slices.Contains(ending, c.place.TargetID) {
				left = append(left, c)
				s.goneLocked(func(d *dialog.Dialog) bool { return d.ID == id }, dialog.ReasonReleased)
			}
		}
	})
	for _, c := range left {
		s.releasePage(c, bridgeLeft)
	}
}
