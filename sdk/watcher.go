package sdk

import (
	"context"
	"sync"
	"time"

	"google.golang.org/grpc/stats"
)

// orphanGrace is how long a plugin outlives its last connection: long enough for
// the host to dial a second one, short enough to leave no orphan behind.
const orphanGrace = 100 * time.Millisecond

// watcher ends the process when the last connection of the host has closed.
type watcher struct {
	gone func()

	mu    sync.Mutex
	open  int
	timer *time.Timer
}

func newWatcher(gone func()) *watcher { return &watcher{gone: gone} }

// TagConn implements stats.Handler.
func (w *watcher) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }

// TagRPC implements stats.Handler.
func (w *watcher) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context { return ctx }

// HandleRPC implements stats.Handler.
func (w *watcher) HandleRPC(context.Context, stats.RPCStats) {}

// HandleConn counts connections.
func (w *watcher) HandleConn(_ context.Context, s stats.ConnStats) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch s.(type) {
	case *stats.ConnBegin:
		w.open++
		if w.timer != nil {
			w.timer.Stop()
			w.timer = nil
		}
	case *stats.ConnEnd:
		if w.open--; w.open == 0 {
			w.timer = time.AfterFunc(orphanGrace, w.gone)
		}
	}
}
