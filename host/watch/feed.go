package watch

import (
	"sync"
	"sync/atomic"

	"github.com/hashicorp/go-hclog"
)

const (
	// feedItems and feedBytes bound what waits to be recorded: a burst of all
	// tasks fits, a disk that stands still does not fill the memory.
	feedItems = 8192
	feedBytes = 64 << 20
)

// item is one piece of work for the feed's goroutine.
type item struct {
	// weight is the bytes that it keeps alive.
	weight int
	do     func(*ledger)
}

// feed carries work from everybody to one goroutine, without making anybody
// wait: what does not fit is dropped and counted.
type feed struct {
	items   chan item
	held    atomic.Int64
	dropped atomic.Uint64
	ledger  *ledger // of the goroutine

	stop chan struct{}
	once sync.Once
	work sync.WaitGroup
}

func newFeed(logger hclog.Logger) *feed {
	f := &feed{items: make(chan item, feedItems), stop: make(chan struct{})}
	f.ledger = &ledger{log: logger, dropped: &f.dropped}
	f.work.Go(f.run)
	return f
}

// put never waits.
func (f *feed) put(i item) {
	w := int64(i.weight)
	if held := f.held.Add(w); held > feedBytes && held > w { // one alone always fits
		f.drop(i)
		return
	}
	select {
	case f.items <- i:
	default:
		f.drop(i)
	}
}

func (f *feed) drop(i item) {
	f.held.Add(-int64(i.weight))
	f.dropped.Add(1)
}

// wait has the goroutine do something after all that was put before, and returns
// when it is done, or when the feed is closed.
func (f *feed) wait(do func(*ledger)) {
	done := make(chan struct{})
	select {
	case f.items <- item{do: func(l *ledger) { defer close(done); do(l) }}:
	case <-f.stop:
		return
	}
	select {
	case <-done:
	case <-f.stop:
		f.work.Wait()
	}
}

func (f *feed) run() {
	for {
		select {
		case i := <-f.items:
			f.do(i)
		case <-f.stop:
			f.rest()
			return
		}
		f.rest()
		f.ledger.flush()
	}
}

// rest does what waits now.
func (f *feed) rest() {
	for {
		select {
		case i := <-f.items:
			f.do(i)
		default:
			return
		}
	}
}

func (f *feed) do(i item) {
	i.do(f.ledger)
	f.held.Add(-int64(i.weight))
}

// close does what waits and ends the goroutine. Later items are lost.
func (f *feed) close() {
	f.once.Do(func() { close(f.stop) })
	f.work.Wait()
}
