package tool

import (
	"context"
	"time"

	"cdphost/host/supervisor"
)

// reapEvery is how often idle tasks are looked for. A minute more or less of
// half an hour does not matter.
const reapEvery = time.Minute

// endTime bounds the end of one idle task.
const endTime = 30 * time.Second

func (l *Local) reap(ctx context.Context) {
	ticker := time.NewTicker(reapEvery)
	defer ticker.Stop()
	for {
		select {
		case now := <-ticker.C:
			l.ReapIdle(ctx, now)
		case <-ctx.Done():
			return
		}
	}
}

// ReapIdle ends and forgets the tasks without a call for longer than
// LocalOptions.Idle, as of now. One with an open dialog stays: its watchdog ends
// that first.
func (l *Local) ReapIdle(ctx context.Context, now time.Time) {
	idle := l.opts.Idle()
	if idle <= 0 {
		return
	}
	for _, key := range l.opts.Registry.Tasks("") {
		record, known := l.opts.Registry.Known(key)
		if !known {
			continue
		}
		last := record.LastUsed()
		if now.Sub(last) < idle {
			continue
		}
		if sup, running := l.opts.Registry.Get(key); running && len(sup.Snapshot().Pending) > 0 {
			continue
		}
		l.log.Info("ending an idle task", "task", key, "last_used", last)
		ending, cancel := context.WithTimeout(ctx, endTime)
		l.forget(ending, key)
		cancel()
	}
}

// forget ends a task and drops everything that is known of it.
func (l *Local) forget(ctx context.Context, key supervisor.Key) {
	l.opts.Registry.Forget(ctx, key)
	l.mu.Lock()
	delete(l.made, key)
	delete(l.spent, key)
	delete(l.joined, key)
	l.mu.Unlock()
	l.opts.Changed()
}

// Stop ends a task's browser. The task stays known, so that its next dialogs and
// tabs get names of their own, and starts again with browser_navigate.
func (l *Local) Stop(ctx context.Context, key supervisor.Key) {
	l.opts.Registry.Stop(ctx, key)
	l.mu.Lock()
	delete(l.joined, key)
	l.mu.Unlock()
	l.opts.Changed()
}
