package plugin

import (
	"sync"
	"time"
)

const (
	// breakerFailures in a row open the breaker.
	breakerFailures = 5
	// breakerOpen is how long it stays open before one call tries again.
	breakerOpen = 5 * time.Second
)

// breaker fails calls at once while a plugin does not answer, so that nobody
// waits a whole deadline for each of them.
type breaker struct {
	mu       sync.Mutex
	failures int
	until    time.Time
	trial    bool
}

// allow reports whether a call may be made at now.
func (b *breaker) allow(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failures < breakerFailures {
		return true
	}
	if b.trial || now.Before(b.until) {
		return false
	}
	b.trial = true
	return true
}

// record notes how a call ended: answered, also with an error, or not in time.
func (b *breaker) record(now time.Time, answered bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.trial = false
	if answered {
		b.failures = 0
		return
	}
	b.failures++
	b.until = now.Add(breakerOpen)
}

// cancelled notes that a call was given up for a reason of the caller.
func (b *breaker) cancelled() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.trial = false
}

// reset closes it, for a new generation.
func (b *breaker) reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failures, b.trial = 0, false
}

// open reports whether calls fail at once.
func (b *breaker) open() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failures >= breakerFailures
}
