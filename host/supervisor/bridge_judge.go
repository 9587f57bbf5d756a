package supervisor

import (
	"context"
	"time"

	"cdphost/host/dialog"
	"cdphost/sdk/fault"
)

// askAgain is the pause between two questions to a bridge whose process is down.
const askAgain = 50 * time.Millisecond

// judge has a bridge recognise a claimed event. While the bridge is down it is
// asked again, as long as the page may wait; then the page is released.
func (s *Supervisor) judge(c *claimed) {
	d, err := s.recognise(c)
	if err == nil && d != nil && d.Type != dialog.Alert && d.Type != dialog.Confirm && d.Type != dialog.Prompt {
		err = fault.New(fault.InvalidArgument, "the bridge takes it for a dialog of the type %q, which there is not", d.Type)
	}
	open := false
	s.update(func(fx *effects) {
		if !s.settleLocked(c) {
			return
		}
		switch {
		case err != nil:
			open = true
		case d == nil:
			c.letPass(fx)
		default:
			s.bridgedLocked(fx, c, d)
		}
	})
	if !open {
		return
	}
	s.logger.Warn("a dialog bridge did not judge in time; the page is released", "task", s.key, "bridge", c.in.name(), "tab", c.place.TabID, "error", err)
	s.releasePage(c, bridgeDown)
}

func (s *Supervisor) recognise(c *claimed) (*BridgedDialog, error) {
	ctx, cancel := context.WithDeadline(s.ctx, c.expires)
	defer cancel()
	for {
		d, err := c.in.bridge.Recognise(ctx, c.event)
		if err == nil || ctx.Err() != nil || s.isSettled(c) {
			return d, err
		}
		select {
		case <-time.After(askAgain):
		case <-ctx.Done():
			return nil, err
		}
	}
}

func (s *Supervisor) isSettled(c *claimed) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return c.settled
}

// bridgedLocked takes a recognised dialog into the queue. Where it is, the host
// knows better than the bridge.
func (s *Supervisor) bridgedLocked(fx *effects, c *claimed, d *BridgedDialog) {
	p := s.pageLocked(c.place.TargetID)
	if p == nil { // it has just gone
		c.letPass(fx)
		return
	}
	o := c.place.Opened
	o.Type, o.Message, o.DefaultPrompt, o.BridgeState = d.Type, d.Message, d.DefaultPrompt, d.State
	if o.URL == "" {
		o.URL = d.URL
	}
	id := s.openLocked(fx, p, o)
	s.held[id] = c
}

// letPass lets go on what turned out to be nobody's.
func (c *claimed) letPass(fx *effects) {
	switch c.claim.Method {
	case fetchPaused:
		fx.continueRequest(c.event.SessionID, c.request)
	case debuggerPaused:
		fx.post(c.event.SessionID, debuggerResume, nil, nil)
	}
}
