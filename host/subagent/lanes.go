package subagent

import (
	"context"
	"sync"
)

// lanes lets one run at a time onto each task. The zero value is ready.
type lanes struct {
	mu sync.Mutex
	of map[string]*lane
}

type lane struct {
	turn  chan struct{} // holds a token while somebody is on the lane
	users int           // on the lane or waiting; guarded by lanes.mu
}

// enter waits for the turn on a task. waiting is called when there is something
// to wait for.
func (l *lanes) enter(ctx context.Context, task string, waiting func()) (leave func(), waited bool, err error) {
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	l.mu.Lock()
	if l.of == nil {
		l.of = make(map[string]*lane)
	}
	ln := l.of[task]
	if ln == nil {
		ln = &lane{turn: make(chan struct{}, 1)}
		l.of[task] = ln
	}
	ln.users++
	l.mu.Unlock()

	leave = func() {
		<-ln.turn
		l.drop(task, ln)
	}
	select {
	case ln.turn <- struct{}{}:
		return leave, false, nil
	default:
	}
	waiting()
	select {
	case ln.turn <- struct{}{}:
		return leave, true, nil
	case <-ctx.Done():
		l.drop(task, ln)
		return nil, true, ctx.Err()
	}
}

func (l *lanes) drop(task string, ln *lane) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if ln.users--; ln.users == 0 {
		delete(l.of, task)
	}
}
