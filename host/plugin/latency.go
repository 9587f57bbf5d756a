package plugin

import (
	"slices"
	"sync"
	"time"
)

// latencySamples are the calls that percentiles are taken of.
const latencySamples = 1024

// latencies keeps the durations of the last calls.
type latencies struct {
	mu    sync.Mutex
	ring  []time.Duration
	next  int
	calls uint64
	fails uint64
}

func (l *latencies) add(d time.Duration, failed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls++
	if failed {
		l.fails++
	}
	if len(l.ring) < latencySamples {
		l.ring = append(l.ring, d)
		return
	}
	l.ring[l.next] = d
	l.next = (l.next + 1) % latencySamples
}

// percentiles returns p50 and p99 of the last calls, 0 when there were none.
func (l *latencies) percentiles() (p50, p99 time.Duration, calls, fails uint64) {
	l.mu.Lock()
	sorted := slices.Clone(l.ring)
	calls, fails = l.calls, l.fails
	l.mu.Unlock()
	if len(sorted) == 0 {
		return 0, 0, calls, fails
	}
	slices.Sort(sorted)
	at := func(p int) time.Duration { return sorted[min(len(sorted)-1, len(sorted)*p/100)] }
	return at(50), at(99), calls, fails
}
