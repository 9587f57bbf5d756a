package tool

import (
	"time"

	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// Budget bounds what one task may use, over all calls and from its first start
// on; 0 is no limit. Looking at a page, answering a dialog and leaving the
// browser cost nothing.
type Budget struct {
	// Actions are calls of browser, browser_navigate and browser_cdp, and what a
	// subagent does.
	Actions int
	Time    time.Duration
}

// budgeted is a Directory that keeps its tasks within budgets.
type budgeted interface {
	// Spend takes one action from the budget of a task: fault.Denied when
	// nothing is left.
	Spend(caller, id string) error
	// Left is what a task may still use, or would have if it were made through
	// set. It fails as Spend does.
	Left(caller, id string, set *Toolset) (Budget, error)
}

// spend takes one action from the budget of a task where tasks have one.
func (k *Kit) spend(caller, id string) error {
	if d, ok := k.Directory.(budgeted); ok {
		return d.Spend(caller, id)
	}
	return nil
}

func (k *Kit) left(caller, id string, set *Toolset) (Budget, error) {
	if d, ok := k.Directory.(budgeted); ok {
		return d.Left(caller, id, set)
	}
	return Budget{}, nil
}

// spending is what a task has used so far.
type spending struct {
	actions int
	since   time.Time
}

// left is what remains of a budget. Its error is a *fault.Error.
func (b Budget) left(s spending, now time.Time, id string) (Budget, error) {
	if b.Actions > 0 {
		if s.actions >= b.Actions {
			return Budget{}, exhausted(id, "max_actions", b.Actions, "The task %q has used its %d actions.")
		}
		b.Actions -= s.actions
	}
	if b.Time > 0 && !s.since.IsZero() {
		used := now.Sub(s.since)
		if used >= b.Time {
			return Budget{}, exhausted(id, "max_seconds", int(b.Time/time.Second), "The task %q has used its %d seconds.")
		}
		b.Time -= used
	}
	return b, nil
}

func exhausted(id, budget string, limit int, text string) error {
	return fault.New(fault.Denied, text+" Report what you have; browser_disconnect ends it.", id, limit).
		With("task_id", id).With("budget", budget).With("limit", limit)
}

// Spend implements budgeted.
func (l *Local) Spend(caller, id string) error {
	key := supervisor.Key{Caller: caller, TaskID: id}
	l.mu.Lock()
	toolset := l.made[key]
	l.mu.Unlock()
	budget := l.opts.Budget(toolset)
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.spent[key]
	if _, err := budget.left(s, time.Now(), id); err != nil {
		return err
	}
	if _, known := l.made[key]; known { // it may have been forgotten meanwhile
		s.actions++
		l.spent[key] = s
	}
	return nil
}

// Left implements budgeted.
func (l *Local) Left(caller, id string, set *Toolset) (Budget, error) {
	key := supervisor.Key{Caller: caller, TaskID: id}
	l.mu.Lock()
	toolset, made := l.made[key]
	s := l.spent[key]
	l.mu.Unlock()
	if !made {
		toolset = set.Name
	}
	return l.opts.Budget(toolset).left(s, time.Now(), id)
}

// madeLocked remembers through which toolset a task is made, and since when.
func (l *Local) madeLocked(key supervisor.Key, set *Toolset) (toolset string, before bool) {
	toolset, before = l.made[key]
	if !before {
		toolset = set.Name
		l.made[key] = toolset
		l.spent[key] = spending{since: time.Now()}
	}
	return toolset, before
}
