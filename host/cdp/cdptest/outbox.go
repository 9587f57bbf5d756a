package cdptest

import (
	"context"
	"sync"
)

// outbox is what waits to be written to one socket. It has no bound: Chrome buffers for a client that
// does not read, and so does the mock.
type outbox struct {
	mu      sync.Mutex
	queue   [][]byte
	queued  uint64        // messages ever put in
	written uint64        // messages written
	changed chan struct{} // closed when one of these changes; nil while nobody waits
	ending  bool          // the socket ends once all is written
	dead    bool
}

func newOutbox() *outbox { return &outbox{} }

// put appends messages; they are written in this order with nothing between them.
func (o *outbox) put(msgs ...[]byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.dead {
		return
	}
	o.queue = append(o.queue, msgs...)
	o.queued += uint64(len(msgs))
	o.signal()
}

// finish ends the socket once all that is in the box has been written.
func (o *outbox) finish() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ending = true
	o.signal()
}

// signal wakes who waits. The caller holds the lock.
func (o *outbox) signal() {
	if o.changed != nil {
		close(o.changed)
		o.changed = nil
	}
}

// change returns a channel that is closed at the next change. The caller holds the lock.
func (o *outbox) change() <-chan struct{} {
	if o.changed == nil {
		o.changed = make(chan struct{})
	}
	return o.changed
}

// drain writes what is put in until the context ends or a write fails.
func (o *outbox) drain(ctx context.Context, write func([]byte) error) {
	defer func() {
		o.mu.Lock()
		o.dead, o.queue = true, nil
		o.signal()
		o.mu.Unlock()
	}()
	for {
		o.mu.Lock()
		batch, ending := o.queue, o.ending
		o.queue = nil
		var changed <-chan struct{}
		if len(batch) == 0 {
			changed = o.change()
		}
		o.mu.Unlock()
		for _, msg := range batch {
			if write(msg) != nil {
				return
			}
			o.wrote()
		}
		if len(batch) > 0 {
			continue
		}
		if ending {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

func (o *outbox) wrote() {
	o.mu.Lock()
	o.written++
	o.signal()
	o.mu.Unlock()
}

// flush waits until all that is in the box now has been written, or the socket is gone.
func (o *outbox) flush(ctx context.Context) error {
	o.mu.Lock()
	goal := o.queued
	o.mu.Unlock()
	for {
		o.mu.Lock()
		if o.dead || o.written >= goal {
			o.mu.Unlock()
			return nil
		}
		changed := o.change()
		o.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
