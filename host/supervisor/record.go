package supervisor

import (
	"strconv"
	"sync/atomic"
	"time"
)

// Record is what outlives a task's supervisors: counters whose values are never
// given twice in the life of the task. Methods may be called at once.
type Record struct {
	Key     Key
	Created time.Time

	dialogs, tabs, uids atomic.Uint64
	used                atomic.Int64 // unix nanoseconds of the last use
}

func newRecord(k Key, now time.Time) *Record {
	r := &Record{Key: k, Created: now}
	r.used.Store(now.UnixNano())
	return r
}

// NextDialog returns "d-1", "d-2", ...
func (r *Record) NextDialog() string { return "d-" + strconv.FormatUint(r.dialogs.Add(1), 10) }

// NextTab returns "t1", "t2", ...
func (r *Record) NextTab() string { return "t" + strconv.FormatUint(r.tabs.Add(1), 10) }

// ReserveUIDs takes n element numbers and returns the first of them.
func (r *Record) ReserveUIDs(n uint64) (first uint64) { return r.uids.Add(n) - n + 1 }

// Touch marks the task as used now.
func (r *Record) Touch(now time.Time) { r.used.Store(now.UnixNano()) }

// LastUsed returns when the task was used last.
func (r *Record) LastUsed() time.Time { return time.Unix(0, r.used.Load()) }

// Used reports whether the task ever had a page.
func (r *Record) Used() bool { return r.tabs.Load() > 0 }
