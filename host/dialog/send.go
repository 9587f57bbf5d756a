package dialog

import (
	"bytes"
	"time"
)

// Send is an answer for the owner to carry out: Page.handleJavaScriptDialog on
// SessionID for a native dialog, the bridge's commands for a bridged one. The
// owner reports its end with Confirmed or Failed, exactly once.
type Send struct {
	DialogID  string
	SessionID string
	Accept    bool
	// PromptText is set for an accepted prompt: the given text or the page's
	// default, which CDP does not fill in by itself.
	PromptText  *string
	Bridge      string
	BridgeState []byte
	Frame       string
	Target      string
	Epoch       uint64
	By          ClosedBy

	attempt uint64
}

// Failure is how carrying out a Send failed.
type Failure int

const (
	// NotSent: no byte of it left. The dialog is held again; a policy's or the
	// watchdog's answer is due again after a second.
	NotSent Failure = iota
	// NotShowing: Chrome said "No dialog is showing". It is closed, by somebody else.
	NotShowing
	// Unanswerable: Chrome refuses to answer it, as it does for dialogs of a
	// document that is being left. It is orphaned.
	Unanswerable
	// NoReply: it was sent and nothing came back. It is orphaned, and should it
	// close after all, the answer is taken to have done it.
	NoReply
)

// retryAfter spaces the attempts to send what must be sent.
const retryAfter = time.Second

// begin turns a held dialog to answering.
func (q *Queue) begin(now time.Time, e *entry, a *Answer) *Send {
	if a.Action == Accept && e.Type == Prompt {
		if a.Text == nil {
			text := e.defaultText
			a.Text = &text
		}
	} else {
		a.Text = nil
	}
	a.At = now
	e.State = Answering
	e.Deciding = false
	e.Answer = a
	e.retry = nil
	e.attempt++
	q.touched()
	return &Send{
		DialogID:    e.ID,
		SessionID:   e.SessionID,
		Accept:      a.Action == Accept,
		PromptText:  a.Text,
		Bridge:      e.Bridge,
		BridgeState: bytes.Clone(e.BridgeState),
		Frame:       e.FrameID,
		Target:      e.TargetID,
		Epoch:       e.Epoch,
		By:          a.By,
		attempt:     e.attempt,
	}
}

// Current reports whether s may still be written: its dialog is pending and s is
// the answer on its way. The owner asks immediately before the write, so that
// nothing is sent for a dialog whose frame went away meanwhile.
func (q *Queue) Current(s *Send) bool { return q.sending(s) != nil }

func (q *Queue) sending(s *Send) *entry {
	if e := q.find(s.DialogID); e != nil && e.State == Answering && e.attempt == s.attempt {
		return e
	}
	return nil
}

// Confirmed records that Chrome took the answer. Of a native dialog Chrome has
// mostly told by javascriptDialogClosed before; of a bridged one this is the only
// word. It returns the closed dialog, nil when it is not known any more.
func (q *Queue) Confirmed(now time.Time, s *Send) *Closed {
	if e := q.find(s.DialogID); e != nil && e.attempt == s.attempt && e.Answer != nil {
		input := ""
		if e.Answer.Text != nil {
			input = *e.Answer.Text
		}
		c := q.finish(now, e, ending{by: e.Answer.By, action: e.Answer.Action, input: input})
		return &c
	}
	if c, ok := q.LookupClosed(s.DialogID); ok {
		return &c
	}
	return nil
}

// Failed records that s could not be carried out, and returns the closed dialog
// when that means that it is over.
func (q *Queue) Failed(now time.Time, s *Send, f Failure) *Closed {
	e := q.sending(s)
	if e == nil {
		return q.disown(s, f)
	}
	switch f {
	case NotShowing:
		c := q.finish(now, e, ending{by: Remote, reason: ReasonNotShowing})
		return &c
	case Unanswerable:
		q.orphan(e, "the browser refuses to answer it")
		e.Answer, e.Leaving = nil, true
	case NoReply:
		q.orphan(e, "the answer got no reply")
	default:
		if e.Answer.By != Agent {
			e.retry, e.retryAt = e.Answer, now.Add(retryAfter)
		}
		e.State, e.Answer = Held, nil
		e.Note = "an answer could not be sent"
	}
	q.touched()
	return nil
}

// disown corrects the record of a dialog that closed while s was on its way and
// was taken for s's work, when Chrome says that it was not.
func (q *Queue) disown(s *Send, f Failure) *Closed {
	if f != NotShowing {
		return nil
	}
	for i := range q.ring {
		c := &q.ring[i]
		if c.ID != s.DialogID || c.attempt != s.attempt || c.ClosedBy != s.By || c.Count > 1 {
			continue
		}
		c.ClosedBy, c.Reason = Remote, ReasonElsewhere
		c.Answer = nil
		q.recent = nil
		q.graves.amend(c)
		fixed := *c
		return &fixed
	}
	return nil
}
