package supervisor

import (
	"context"
	"encoding/json"
	"slices"

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
