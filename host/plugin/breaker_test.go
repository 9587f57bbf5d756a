package plugin

import (
	"testing"
	"time"
)

func TestBreaker(t *testing.T) {
	t.Parallel()
	var b breaker
	now := time.Unix(1000, 0)
	for i := range breakerFailures {
		if !b.allow(now) {
			t.Fatalf("open after %d failures", i)
		}
		b.record(now, false)
	}
	if b.allow(now) || !b.open() {
		t.Fatal("not open")
	}
	later := now.Add(breakerOpen)
	if !b.allow(later) {
		t.Fatal("no trial")
	}
	if b.allow(later) {
		t.Fatal("two trials at once")
	}
	b.record(later, false)
	if b.allow(later) {
		t.Fatal("a failed trial closed it")
	}
	later = later.Add(breakerOpen)
	if !b.allow(later) {
		t.Fatal("no second trial")
	}
	b.cancelled()
	if !b.allow(later) {
		t.Fatal("a cancelled trial is no verdict")
	}
	b.record(later, true)
	if b.open() || !b.allow(later) || !b.allow(later) {
		t.Fatal("not closed")
	}
}
