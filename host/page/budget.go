package page

import (
	"time"

	"cdphost/sdk/fault"
)

// Budget bounds what one task may do. The zero value bounds nothing.
type Budget struct {
	// MaxActions is how many actions the task may take; 0 is no limit.
	MaxActions int
	// MaxTime is for how long after Since it may take them; 0 is no limit.
	MaxTime time.Duration
	Since   time.Time

	// Count counts an action and returns how many there were in the life of the
	// task, of which the engine may see only a part. It must be set where
	// MaxActions is. It must not block.
	Count func() int
}

// spend takes one action from the budget.
func (b *Budget) spend(now time.Time) error {
	if b.MaxTime > 0 && now.Sub(b.Since) > b.MaxTime {
		return fault.New(fault.Denied, "the task's time of %v is over: stop and report what you have", b.MaxTime).
			With("budget", "max_seconds").With("limit", b.MaxTime.Seconds())
	}
	if b.MaxActions > 0 && b.Count() > b.MaxActions {
		return fault.New(fault.Denied, "the task has taken all of its %d actions: stop and report what you have", b.MaxActions).
			With("budget", "max_actions").With("limit", b.MaxActions)
	}
	return nil
}
