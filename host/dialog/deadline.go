package dialog

import "time"

// Expired starts the answers that are due at now: the watchdog's for held dialogs
// whose deadline has come, and verdicts whose first sending failed.
func (q *Queue) Expired(now time.Time) []*Send {
	var due []*Send
	for _, e := range q.open {
		if e.State != Held {
			continue
		}
		switch {
		case e.retry != nil:
			if !now.Before(e.retryAt) {
				again := *e.retry
				due = append(due, q.begin(now, e, &again))
			}
		case !now.Before(e.Deadline):
			due = append(due, q.begin(now, e, &Answer{Action: e.Then, By: Watchdog, At: now, Note: "deadline"}))
		}
	}
	return due
}

// Stuck returns the orphans whose deadline has come, each once. Nothing can be
// sent for them: the owner frees their pages, and the close is the watchdog's.
func (q *Queue) Stuck(now time.Time) []Dialog {
	var stuck []Dialog
	for _, e := range q.open {
		if e.State != Orphaned || e.stuck || now.Before(e.Deadline) {
			continue
		}
		e.stuck, e.freeing = true, true
		e.Answer = &Answer{Action: Dismiss, By: Watchdog, At: now, Note: "deadline"}
		q.touched()
		stuck = append(stuck, e.Dialog)
	}
	return stuck
}

// NextDeadline returns when Expired or Stuck will have something next.
func (q *Queue) NextDeadline() (time.Time, bool) {
	var next time.Time
	found := false
	for _, e := range q.open {
		at := e.Deadline
		switch {
		case e.State == Held && e.retry != nil:
			at = e.retryAt
		case e.State == Held, e.State == Orphaned && !e.stuck:
		default:
			continue
		}
		if !found || at.Before(next) {
			next, found = at, true
		}
	}
	return next, found
}
