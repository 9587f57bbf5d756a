package dialog

import (
	"slices"
	"time"
)

// Queue holds the dialogs of one task. It is not safe for concurrent use: its
// owner serialises the calls. What Pending and Recent return, and every Dialog,
// Closed and Send, may be read by anybody at any time.
type Queue struct {
	opts       Options
	generation uint64

	open   []*entry // in the order of opening
	ring   []Closed // newest last
	graves graves
	floods map[string]*flood // by target
	taints map[string]bool   // by target

	pending []Dialog // frozen view of open, nil when stale
	recent  []Closed // frozen view of ring, nil when stale
}

// entry is a pending dialog with what only the queue needs of it.
type entry struct {
	Dialog
	defaultText string // the whole default of a prompt
	attempt     uint64 // of the Send on its way, or of the last one
	hint        string // reason to record when it closes by itself
	flood       *flood // the breaker dismissed it

	retry   *Answer // verdict that could not be sent and is due again
	retryAt time.Time

	// awaited is set on a dialog that superseded another: Chrome still sends the
	// other's javascriptDialogClosed, with this frame.
	awaits  bool
	awaited string

	lost    bool // orphaned because its connection dropped, and by nothing else
	freeing bool // somebody frees the orphan: see Free
	stuck   bool // reported by Stuck
}

// NewQueue makes an empty Queue.
func NewQueue(o Options) *Queue {
	return &Queue{opts: o.withDefaults(), generation: 1}
}

// Generation is the number of the policy that is in force.
func (q *Queue) Generation() uint64 { return q.generation }

// Len is the number of pending dialogs.
func (q *Queue) Len() int { return len(q.open) }

// Pending returns the dialogs that are open now, oldest first. The slice is never
// nil, never changed afterwards and is the same one until something changes.
func (q *Queue) Pending() []Dialog {
	if len(q.open) == 0 {
		return []Dialog{}
	}
	if q.pending == nil {
		q.pending = make([]Dialog, len(q.open))
		for i, e := range q.open {
			q.pending[i] = e.Dialog
		}
	}
	return q.pending
}

// Recent returns the last closed dialogs, newest last. The slice is never changed
// afterwards and is the same one until something changes.
func (q *Queue) Recent() []Closed {
	if q.recent == nil && len(q.ring) > 0 {
		q.recent = slices.Clone(q.ring)
	}
	return q.recent
}

// Lookup returns the pending dialog id.
func (q *Queue) Lookup(id string) (Dialog, bool) {
	if e := q.find(id); e != nil {
		return e.Dialog, true
	}
	return Dialog{}, false
}

// LookupClosed returns the record of a dialog that is among the recent ones.
func (q *Queue) LookupClosed(id string) (Closed, bool) {
	for i := len(q.ring) - 1; i >= 0; i-- {
		if q.ring[i].ID == id {
			return q.ring[i], true
		}
	}
	return Closed{}, false
}

func (q *Queue) find(id string) *entry {
	for _, e := range q.open {
		if e.ID == id {
			return e
		}
	}
	return nil
}

// touched drops the frozen view of the pending dialogs.
func (q *Queue) touched() { q.pending = nil }
