package cdp

import "sync"

// callbacks runs functions one after another, in the order they were added, on
// a goroutine that exists only while there are some.
type callbacks struct {
	mu      sync.Mutex
	queue   []func()
	running chan struct{} // closed when the goroutine has ended; nil when there is none
}

func (q *callbacks) add(f func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.queue = append(q.queue, f)
	if q.running == nil {
		q.running = make(chan struct{})
		go q.drain(q.running)
	}
}

func (q *callbacks) drain(ended chan struct{}) {
	defer close(ended)
	for {
		q.mu.Lock()
		batch := q.queue
		q.queue = nil
		if batch == nil {
			q.running = nil
		}
		q.mu.Unlock()
		if batch == nil {
			return
		}
		for _, f := range batch {
			f()
		}
	}
}

// wait returns when nothing is left and the goroutine, if any, has ended.
func (q *callbacks) wait() {
	for {
		q.mu.Lock()
		running := q.running
		q.mu.Unlock()
		if running == nil {
			return
		}
		<-running
	}
}
