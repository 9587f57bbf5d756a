package dialog

import (
	"bytes"
	"time"
)

// Opening tells the owner what to do about a dialog that has just opened.
type Opening struct {
	ID         string
	Generation uint64
	// Superseded are the dialogs that this one closed.
	Superseded []Closed
	// Decide tells to ask the policy. It is false where there is nothing to
	// decide: the dialog is orphaned, or the flood breaker has decided.
	Decide bool
	// Send is the flood breaker's answer, nil mostly.
	Send *Send
}

// Open records a dialog from Page.javascriptDialogOpening or from a bridge.
//
// Two native dialogs of one target cannot be open at once: the browser closes the
// first, and when the second belongs to another frame it thereby loses the means
// to answer the second, which is orphaned from the start. Bridged dialogs do not
// disturb each other.
func (q *Queue) Open(now time.Time, o Opened) Opening {
	e := &entry{defaultText: valid(o.DefaultPrompt)}
	e.Opened = o
	e.Type = Type(clip(clean(string(o.Type)), noteCap))
	e.BridgeState = bytes.Clone(o.BridgeState)
	e.URL = clip(clean(o.URL), urlCap)
	e.Message, e.MessageTruncated = cut(clean(o.Message), q.opts.MessageCap)
	e.DefaultPrompt, e.DefaultPromptTruncated = cut(clean(o.DefaultPrompt), q.opts.MessageCap)
	e.ID = q.opts.NextID()
	e.OpenedAt = now
	e.State = Held
	e.Deciding = true
	e.Generation = q.generation
	e.Deadline = now.Add(q.opts.Timeout)
	e.Then = Dismiss

	opening := Opening{ID: e.ID, Generation: e.Generation}
	opening.Superseded = q.supersede(now, e)
	if e.Native() && q.taints[e.TargetID] {
		q.orphan(e, "a dialog whose frame went away is still in the browser's hands")
	}
	q.open = append(q.open, e)
	q.touched()

	f := q.over(now, e.TargetID)
	switch {
	case e.State == Orphaned:
	case f != nil:
		e.flood = f
		opening.Send = q.begin(now, e, &Answer{Action: Dismiss, By: AutoPolicy, At: now, Note: ReasonFlood})
	default:
		opening.Decide = true
	}
	return opening
}

// supersede closes the native dialog that e displaces, if there is one.
func (q *Queue) supersede(now time.Time, e *entry) []Closed {
	if !e.Native() {
		return nil
	}
	var closed []Closed
	for i := 0; i < len(q.open); {
		first := q.open[i]
		if !first.Native() || first.TargetID != e.TargetID {
			i++
			continue
		}
		closed = append(closed, q.finish(now, first, ending{by: Remote, action: Dismiss, reason: ReasonSuperseded}))
		// A frame that is blocked by a dialog can't open another one, so a second
		// one of the same frame means that the first was over unseen.
		if first.FrameID != e.FrameID || e.FrameID == "" {
			e.awaits, e.awaited = true, first.FrameID
			q.orphan(e, "another process of the tab had a dialog open")
		}
	}
	return closed
}
