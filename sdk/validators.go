package sdk

import (
	"bytes"
	"runtime"
	"sync"
	"sync/atomic"
)

// validators knows the goroutines that run a before_send now, to refuse a call
// from inside one: it would wait for itself.
type validators struct {
	running atomic.Int64
	mu      sync.Mutex
	ids     map[string]struct{}
}

// run runs a validator.
func (v *validators) run(f func() error) error {
	id := goroutine()
	v.mu.Lock()
	if v.ids == nil {
		v.ids = map[string]struct{}{}
	}
	v.ids[id] = struct{}{}
	v.mu.Unlock()
	v.running.Add(1)
	defer func() {
		v.running.Add(-1)
		v.mu.Lock()
		delete(v.ids, id)
		v.mu.Unlock()
	}()
	return f()
}

// inside reports whether the calling goroutine runs a validator. It costs nothing
// while none runs.
func (v *validators) inside() bool {
	if v.running.Load() == 0 {
		return false
	}
	id := goroutine()
	v.mu.Lock()
	defer v.mu.Unlock()
	_, ok := v.ids[id]
	return ok
}

// goroutine returns the name that the first line of a stack gives the calling
// goroutine: the only identity that the runtime shows.
func goroutine() string {
	var buf [64]byte
	line := buf[:runtime.Stack(buf[:], false)]
	head, _, _ := bytes.Cut(line, []byte(" ["))
	return string(head)
}
