package dialog

import "time"

// Answer starts answering a dialog: the one named id, or the only pending one when
// id is "". Action is "accept" or "dismiss"; text is what a prompt gets, nil for
// its default text, and ignored for everything else.
//
// Of several answers at the same moment exactly one gets a Send. Errors carry a
// fault code and say what to do: InvalidArgument, NoDialog, DialogNotFound,
// DialogAmbiguous, DialogClosed (also while another answer is on its way) and
// DialogOrphaned.
func (q *Queue) Answer(now time.Time, id, action string, text *string, by ClosedBy) (*Send, error) {
	if a := Action(action); a != Accept && a != Dismiss {
		return nil, badAction(action)
	}
	e, err := q.choose(id)
	if err != nil {
		return nil, err
	}
	switch e.State {
	case Answering:
		return nil, beingAnswered(e)
	case Orphaned:
		return nil, orphaned(e)
	}
	return q.begin(now, e, &Answer{Action: Action(action), Text: copyText(text), By: by, At: now}), nil
}

func (q *Queue) choose(id string) (*entry, error) {
	if id != "" {
		if e := q.find(id); e != nil {
			return e, nil
		}
		if g, ok := q.graves.find(id); ok {
			return nil, alreadyClosed(g)
		}
		return nil, q.notFound(id)
	}
	switch len(q.open) {
	case 0:
		return nil, q.nonePending()
	case 1:
		return q.open[0], nil
	}
	return nil, q.ambiguous()
}
