package supervisor

import (
	"context"
	"strings"

	"cdphost/host/cdp"
	"cdphost/host/dialog"
	"cdphost/sdk/fault"
)

// answerBridged carries an answer into a page by way of its bridge. When the
// bridge is down, an agent is told and may try again until the deadline; what
// nobody would try again releases the page.
func (s *Supervisor) answerBridged(send *dialog.Send) {
	s.mu.Lock()
	c := s.held[send.DialogID]
	d, _ := s.dialogs.Lookup(send.DialogID)
	current := s.dialogs.Current(send)
	s.mu.Unlock()
	if c == nil || !current {
		return
	}
	cmds, err := s.askAnswer(c, send, d)
	switch {
	case err == nil:
	case send.By == dialog.Agent:
		s.answerEnded(send, err)
		return
	default:
		s.logger.Warn("a dialog bridge could not carry an answer; the page is released", "task", s.key, "bridge", send.Bridge, "dialog", send.DialogID, "error", err)
		s.letGo(c, send)
		return
	}
	for i, cmd := range cmds {
		if i == 0 && !s.stillCurrent(send) {
			return
		}
		if err := s.sendOne(s.ctx, cmd); err != nil {
			s.answerEnded(send, err)
			return
		}
	}
	s.answerEnded(send, nil)
}

func (s *Supervisor) stillCurrent(send *dialog.Send) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dialogs.Current(send)
}

func (s *Supervisor) askAnswer(c *claimed, send *dialog.Send, d dialog.Dialog) ([]cdp.Command, error) {
	ctx, cancel := context.WithTimeout(s.ctx, bridgePatience)
	defer cancel()
	cmds, err := c.in.bridge.Answer(ctx, BridgeAnswer{Task: s.key, Dialog: d, Accept: send.Accept, Text: send.PromptText})
	if err != nil {
		if fault.CodeOf(err) == fault.InternalError {
			err = fault.Wrap(err, fault.PluginUnavailable, "the dialog bridge %s failed: %v", c.in.name(), err)
		}
		return nil, err
	}
	return c.admit(cmds)
}

// admit checks that the commands only end what the bridge holds.
func (c *claimed) admit(cmds []cdp.Command) ([]cdp.Command, error) {
	if len(cmds) == 0 {
		return nil, fault.New(fault.PluginUnavailable, "the dialog bridge %s has no commands for the answer", c.in.name())
	}
	domain, _, _ := strings.Cut(c.claim.Method, ".")
	for i := range cmds {
		if cmds[i].SessionID != "" && cmds[i].SessionID != c.event.SessionID || !strings.HasPrefix(cmds[i].Method, domain+".") {
			return nil, fault.New(fault.NotYours, "the dialog bridge %s wants to send %s, which does not belong to an answer", c.in.name(), cmds[i].Method)
		}
		cmds[i].SessionID = c.event.SessionID
	}
	return cmds, nil
}
