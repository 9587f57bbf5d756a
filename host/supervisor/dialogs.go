package supervisor

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"cdphost/host/cdp"
	"cdphost/host/dialog"
	"cdphost/host/link"
	"cdphost/sdk/fault"

	"github.com/chromedp/cdproto/page"
)

// dialogOpening applies Page.javascriptDialogOpening.
func (s *Supervisor) dialogOpening(fx *effects, t link.Target, params []byte) {
	o, err := dialog.ParseOpening(params)
	if err != nil {
		s.logger.Warn("a dialog's event could not be read", "task", s.key, "error", err)
		return
	}
	p := s.pageLocked(t.PageID)
	if p == nil || p.left {
		return
	}
	o.TargetID, o.TabID, o.SessionID, o.Epoch = t.PageID, p.TabID, t.SessionID, t.Epoch
	s.openLocked(fx, p, o)
}

// openLocked takes a dialog, native or bridged, into the queue and returns its id.
func (s *Supervisor) openLocked(fx *effects, p *pageState, o dialog.Opened) string {
	opening := s.dialogs.Open(time.Now(), o)
	s.touch(p)
	for i := range opening.Superseded {
		s.closedLocked(&opening.Superseded[i])
	}
	d, ok := s.dialogs.Lookup(opening.ID)
	if !ok {
		return opening.ID
	}
	s.tellLocked(p.TabID, HostDialogOpened, d)
	fx.send(opening.Send)
	if opening.Decide {
		fx.decide = append(fx.decide, d)
	}
	return opening.ID
}

// dialogClosed applies Page.javascriptDialogClosed.
func (s *Supervisor) dialogClosed(t link.Target, params []byte) {
	frameID, result, input, err := dialog.ParseClosed(params)
	if err != nil {
		s.logger.Warn("a dialog's event could not be read", "task", s.key, "error", err)
		return
	}
	if c := s.dialogs.Closed(time.Now(), t.SessionID, frameID, result, input); c != nil {
		s.closedLocked(c)
	}
}

// closedLocked records that a dialog is over and tells whoever waits for it.
func (s *Supervisor) closedLocked(c *dialog.Closed) {
	s.dirty = true
	delete(s.held, c.ID)
	if w := s.answers[c.ID]; w != nil {
		delete(s.answers, c.ID)
		s.toTell = append(s.toTell, told{w, answered{closed: c}})
	}
	s.tellLocked(c.TabID, HostDialogClosed, c)
}

func (s *Supervisor) goneLocked(match func(*dialog.Dialog) bool, reason string) {
	s.dropClaimsLocked(match)
	gone := s.dialogs.Gone(time.Now(), match, reason)
	for i := range gone {
		s.closedLocked(&gone[i])
	}
}

// decide asks the policy about one dialog. The dialog is held all the while, and
// its watchdog runs.
func (s *Supervisor) decide(d dialog.Dialog) {
	set := s.settings.Load()
	verdict := dialog.Verdict{Do: dialog.DoHold, Timeout: set.DialogTimeout}
	if set.Policy != nil {
		v, err := s.askPolicy(set, d)
		if err != nil {
			s.logger.Warn("the dialog policy did not decide; the dialog is held", "task", s.key, "policy", set.PolicyName, "dialog", d.ID, "error", err)
			v = dialog.Verdict{Do: dialog.DoHold, Timeout: set.DialogTimeout, Reason: "the policy did not answer"}
		}
		verdict = v
	}
	s.update(func(fx *effects) {
		send, err := s.dialogs.Decide(time.Now(), d.ID, d.Generation, verdict)
		if err != nil { // closed, answered or given to a newer policy meanwhile
			return
		}
		s.dirty = true
		s.tellLocked(d.TabID, HostDialogDecided, DialogDecision{
			ID: d.ID, TabID: d.TabID, Policy: set.PolicyName, Do: verdict.Do, Reason: verdict.Reason,
		})
		fx.send(send)
	})
}

func (s *Supervisor) askPolicy(set *Settings, d dialog.Dialog) (dialog.Verdict, error) {
	snap := s.Snapshot()
	req := PolicyRequest{Task: s.key, Dialog: d, FrameKind: FrameTop}
	if p, ok := snap.Page(d.TabID); ok {
		req.TopURL = p.URL
		if f, ok := p.Frames.Lookup(d.FrameID); ok && !f.Top {
			req.FrameKind = FrameSameProcess
			if f.OOPIF {
				req.FrameKind = FrameOOPIF
			}
		}
	}
	ctx, cancel := context.WithDeadline(s.ctx, d.Deadline)
	defer cancel()
	return set.Policy.Decide(ctx, req)
}

// told is an outcome on its way to the one who waits for it; the channel holds one.
type told struct {
	waiter  chan answered
	outcome answered
}

// answered is how an answer ended.
type answered struct {
	closed *dialog.Closed
	err    error
}

// answer carries out a Send. It is called without the lock, from any goroutine.
func (s *Supervisor) answer(send *dialog.Send) {
	s.mu.Lock()
	current := s.dialogs.Current(send)
	s.mu.Unlock()
	if !current {
		return
	}
	if send.Bridge != "" {
		s.goWork(func() { s.answerBridged(send) })
		return
	}
	params := page.HandleJavaScriptDialogParams{Accept: send.Accept}
	if send.PromptText != nil {
		params.PromptText = *send.PromptText
	}
	cmd := cdp.Command{SessionID: send.SessionID, Method: page.CommandHandleJavaScriptDialog, Params: cdp.Marshal(&params)}
	s.member.Post([]cdp.Command{cmd}, func(_ int, _ json.RawMessage, err error) { s.answerEnded(send, err) })
}

// answerEnded records what became of a Send.
func (s *Supervisor) answerEnded(send *dialog.Send, err error) {
	s.update(func(*effects) {
		now := time.Now()
		s.dirty = true
		if err == nil {
			_, pending := s.dialogs.Lookup(send.DialogID)
			// Of one that is not pending its own event has told already.
			if c := s.dialogs.Confirmed(now, send); c != nil && pending {
				s.closedLocked(c)
			}
			return
		}
		c := s.dialogs.Failed(now, send, failureOf(err, send.Bridge != ""))
		if c != nil {
			delete(s.held, c.ID)
		}
		if w := s.answers[send.DialogID]; w != nil {
			delete(s.answers, send.DialogID)
			s.toTell = append(s.toTell, told{w, answered{closed: c, err: err}})
		}
	})
}

func failureOf(err error, bridged bool) dialog.Failure {
	var refused *cdp.Error
	switch {
	case errors.As(err, &refused):
		// A bridge holds its page by a request or a pause: refused means that it
		// is over.
		if bridged || refused.Code == noDialogShowing {
			return dialog.NotShowing
		}
		return dialog.Unanswerable
	case errors.Is(err, cdp.ErrNoReply):
		return dialog.NoReply
	}
	return dialog.NotSent
}

// noDialogShowing is the code of Page.handleJavaScriptDialog's "No dialog is
// showing" (invalid params).
const noDialogShowing = -32602

// DialogAnswer is an explicit answer.
type DialogAnswer struct {
	// ID names the dialog; "" is the only one that is pending.
	ID string
	// Action is "accept" or "dismiss".
	Action string
	// Text is what a prompt returns; nil is the page's default text.
	Text *string
	By   dialog.ClosedBy
}

// AnswerDialog answers a dialog and returns its record once the browser has
// confirmed that it is closed. Its errors carry the fault codes of
// dialog.Queue.Answer, fault.Timeout when ctx ended first (the answer may still
// take effect), and fault.DialogClosed when somebody else closed it meanwhile.
func (s *Supervisor) AnswerDialog(ctx context.Context, a DialogAnswer) (dialog.Closed, error) {
	var send *dialog.Send
	var err error
	wait := make(chan answered, 1)
	s.update(func(fx *effects) {
		send, err = s.dialogs.Answer(time.Now(), a.ID, a.Action, a.Text, a.By)
		if err != nil {
			return
		}
		s.dirty = true
		s.answers[send.DialogID] = wait
		fx.send(send)
	})
	if err != nil {
		return dialog.Closed{}, err
	}
	select {
	case r := <-wait:
		return s.verify(r, send, a)
	case <-s.ctx.Done():
		return dialog.Closed{}, fault.New(fault.NoSupervisor, "the task was stopped while dialog %s was being answered", send.DialogID)
	case <-ctx.Done():
		return dialog.Closed{}, fault.Wrap(ctx.Err(), fault.Timeout,
			"the answer to dialog %s was sent and is not confirmed yet; look at browser_snapshot before answering again", send.DialogID)
	}
}

func (s *Supervisor) verify(r answered, send *dialog.Send, a DialogAnswer) (dialog.Closed, error) {
	switch {
	case r.closed != nil && r.closed.ClosedBy == a.By:
		return *r.closed, nil
	case r.closed != nil:
		return *r.closed, fault.New(fault.DialogClosed, "dialog %s was closed by %s (%s) before the answer took effect",
			r.closed.ID, r.closed.ClosedBy, r.closed.Reason).With("closed_by", string(r.closed.ClosedBy))
	}
	_, err := s.dialogState(send.DialogID)
	if err == nil {
		err = r.err
	}
	return dialog.Closed{}, fault.Wrap(r.err, fault.CodeOf(err), "dialog %s was not answered: %s", send.DialogID, plain(err))
}

// dialogState says why a pending dialog can't be answered any more.
func (s *Supervisor) dialogState(id string) (dialog.State, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, ok := s.dialogs.Lookup(id)
	if ok && d.State == dialog.Orphaned {
		return d.State, fault.New(fault.DialogOrphaned, "%s; reload or navigate tab %s to free the page", d.Note, d.TabID)
	}
	return d.State, nil
}

func plain(err error) string {
	var f *fault.Error
	if errors.As(err, &f) {
		return f.Message
	}
	return err.Error()
}
