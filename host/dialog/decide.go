package dialog

import (
	"fmt"
	"time"
)

// Decide applies the policy's verdict on dialog id, given for generation. A
// verdict may come late, after the policy's time was up, as long as the dialog is
// still held and the generation current; otherwise the error is ErrStale.
//
// A verdict that accepts or dismisses returns the answer to send. One that the
// queue does not understand holds the dialog, with a note.
func (q *Queue) Decide(now time.Time, id string, generation uint64, v Verdict) (*Send, error) {
	e := q.find(id)
	if e == nil || e.State != Held || e.Generation != generation {
		return nil, ErrStale
	}
	e.Deciding = false
	q.touched()
	answer := &Answer{By: AutoPolicy, At: now, Note: clip(clean(v.Reason), noteCap)}
	switch v.Do {
	case DoAccept:
		answer.Action, answer.Text = Accept, copyText(v.Text)
		return q.begin(now, e, answer), nil
	case DoDismiss:
		answer.Action = Dismiss
		return q.begin(now, e, answer), nil
	}
	timeout, then, note := v.hold(q.opts.Timeout)
	if v.Do != DoHold && v.Do != DoAsk {
		note = fmt.Sprintf("the policy's verdict %q is unknown: hold", clip(clean(v.Do), noteCap))
	}
	e.Deadline = e.OpenedAt.Add(timeout)
	e.Then = then
	e.Ask = v.Do == DoAsk
	e.retry = nil
	e.Note = note
	return nil, nil
}

// Undecided returns the held dialogs that still lack the verdict of generation.
func (q *Queue) Undecided(generation uint64) []Dialog {
	var out []Dialog
	for _, e := range q.open {
		if e.State == Held && e.Deciding && e.Generation == generation {
			out = append(out, e.Dialog)
		}
	}
	return out
}

// Redecide begins a new generation, because another policy is in force: verdicts
// of older ones become stale. It returns the held dialogs, all to be decided anew;
// their deadlines stand until then.
func (q *Queue) Redecide() []Dialog {
	q.generation++
	var out []Dialog
	for _, e := range q.open {
		if e.State != Held {
			continue
		}
		e.Generation = q.generation
		e.Deciding = true
		e.Ask = false
		e.retry = nil
		out = append(out, e.Dialog)
	}
	q.touched()
	return out
}

// copyText returns a private, sanitised copy of a prompt's text.
func copyText(s *string) *string {
	if s == nil {
		return nil
	}
	c := valid(*s)
	return &c
}
