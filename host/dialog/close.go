package dialog

import (
	"slices"
	"time"
)

// Closed applies Page.javascriptDialogClosed of a session. frameID narrows the
// match where the browser gives it ("" otherwise). It returns the dialog that
// closed, nil when the event is about one that is not pending any more.
//
// The answer that is on its way is taken to have closed the dialog unless the
// result contradicts it; otherwise somebody else did.
func (q *Queue) Closed(now time.Time, sessionID, frameID string, result bool, userInput string) *Closed {
	var match *entry
	for _, e := range q.open {
		if !e.Native() || e.SessionID != sessionID {
			continue
		}
		if e.awaits && (frameID == "" || e.awaited == "" || e.awaited == frameID) {
			e.awaits = false
			return nil
		}
		if match == nil && (frameID == "" || e.FrameID == "" || e.FrameID == frameID) {
			match = e
		}
	}
	if match == nil {
		return nil
	}
	end := ending{by: Remote, action: Dismiss, input: clip(clean(userInput), q.opts.MessageCap), reason: ReasonElsewhere}
	if result {
		end.action = Accept
	}
	if a := match.Answer; a != nil && a.agrees(end.action, userInput) {
		end.by, end.reason = a.By, ""
	} else if match.hint != "" {
		end.reason = match.hint
	}
	c := q.finish(now, match, end)
	return &c
}

// agrees reports whether what the browser says of the close fits the answer.
func (a *Answer) agrees(action Action, userInput string) bool {
	return a.Action == action && (a.Text == nil || userInput == "" || *a.Text == userInput)
}

// Gone closes the dialogs that match because their page or frame went away, for
// one of the reasons. No answer is produced for them any more, and those on their
// way are not Current.
//
// When an out-of-process frame takes a native dialog with it, its page is tainted:
// see Tainted.
func (q *Queue) Gone(now time.Time, match func(*Dialog) bool, reason string) []Closed {
	var closed []Closed
	for _, e := range slices.Clone(q.open) {
		if !match(&e.Dialog) {
			continue
		}
		end := ending{by: Remote, reason: reason}
		if e.freeing {
			end.by, end.action = e.Answer.By, e.Answer.Action
		}
		if e.Native() && (reason == ReasonFrameGone || reason == ReasonCrash) && e.FrameID != e.TargetID {
			q.Taint(e.TargetID)
		}
		closed = append(closed, q.finish(now, e, end))
	}
	return closed
}

// Explain notes why the dialogs that match will close if they close by
// themselves: what is under way that makes the browser dismiss them.
func (q *Queue) Explain(match func(*Dialog) bool, reason string) {
	for _, e := range q.open {
		if match(&e.Dialog) {
			e.hint = reason
		}
	}
}

// ending is how a dialog closed.
type ending struct {
	by     ClosedBy
	action Action
	input  string
	reason string
}

// finish moves e from the pending to the recent ones.
func (q *Queue) finish(now time.Time, e *entry, end ending) Closed {
	i := slices.Index(q.open, e)
	q.open = slices.Delete(q.open, i, i+1)
	q.touched()
	c := Closed{
		Dialog:    e.Dialog,
		ClosedAt:  now,
		ClosedBy:  end.by,
		Action:    end.action,
		UserInput: end.input,
		Reason:    end.reason,
		Count:     1,
		attempt:   e.attempt,
	}
	c.Deciding = false
	c.BridgeState = nil
	q.graves.add(&c)
	if e.flood != nil && end.by == AutoPolicy {
		c.Reason = ReasonFlood
		return q.summarise(c, e.flood)
	}
	q.remember(c)
	return c
}
