package dialog

import (
	"fmt"
	"strings"
	"time"

	"cdphost/sdk/fault"
)

func badAction(action string) error {
	return fault.New(fault.InvalidArgument, "action must be %q or %q, not %q", Accept, Dismiss, clip(clean(action), noteCap)).
		With("allowed", []string{string(Accept), string(Dismiss)})
}

func (q *Queue) nonePending() error {
	text := "no dialog is pending"
	e := fault.New(fault.NoDialog, "%s", text)
	if n := len(q.ring); n > 0 {
		last := q.ring[n-1]
		e = fault.New(fault.NoDialog, "%s; the last one, %s, was closed by %s at %s", text, last.ID, last.ClosedBy, clock(last.ClosedAt)).
			With("last", last.ID)
	}
	return e
}

func (q *Queue) notFound(id string) error {
	known := make([]string, 0, len(q.open)+len(q.ring))
	for _, e := range q.open {
		known = append(known, e.ID)
	}
	for _, c := range q.ring {
		known = append(known, c.ID)
	}
	list := "none is known"
	if len(known) > 0 {
		list = "known are " + strings.Join(known, ", ")
	}
	return fault.New(fault.DialogNotFound, "there is no dialog %q: %s", clip(clean(id), noteCap), list).With("known", known)
}

func (q *Queue) ambiguous() error {
	ids := make([]string, len(q.open))
	list := make([]string, len(q.open))
	for i, e := range q.open {
		ids[i] = e.ID
		list[i] = fmt.Sprintf("%s (%s in %s, %s)", e.ID, e.Type, e.TabID, e.State)
	}
	return fault.New(fault.DialogAmbiguous, "%d dialogs are pending, name one with dialog_id: %s", len(ids), strings.Join(list, ", ")).
		With("pending", ids)
}

func alreadyClosed(g grave) error {
	e := fault.New(fault.DialogClosed, "dialog %s was closed by %s at %s", g.id, g.by, clock(g.at))
	if g.reason != "" {
		e = fault.New(fault.DialogClosed, "dialog %s was closed by %s (%s) at %s", g.id, g.by, g.reason, clock(g.at))
	}
	return e.With("dialog_id", g.id).With("closed_by", string(g.by)).With("closed_at", unix(g.at))
}

func beingAnswered(e *entry) error {
	return fault.New(fault.DialogClosed, "dialog %s is being answered by %s (%s) since %s", e.ID, e.Answer.By, e.Answer.Action, clock(e.Answer.At)).
		With("dialog_id", e.ID).With("closed_by", string(e.Answer.By))
}

func orphaned(e *entry) error {
	return fault.New(fault.DialogOrphaned, "dialog %s can't be answered: %s; reload or navigate tab %s to free the page", e.ID, e.Note, e.TabID).
		With("dialog_id", e.ID).With("tab_id", e.TabID)
}

func clock(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
