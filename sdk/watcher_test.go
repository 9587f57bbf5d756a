package sdk

import (
	"testing"

	"google.golang.org/grpc/stats"
)

func TestWatcherEndsWithTheLastConnection(t *testing.T) {
	t.Parallel()
	gone := make(chan struct{})
	w := newWatcher(func() { close(gone) })
	w.HandleConn(t.Context(), &stats.ConnBegin{})
	w.HandleConn(t.Context(), &stats.ConnBegin{})
	w.HandleConn(t.Context(), &stats.ConnEnd{})
	w.HandleConn(t.Context(), &stats.ConnEnd{})
	w.HandleConn(t.Context(), &stats.ConnBegin{}) // the host dials again in time
	select {
	case <-gone:
		t.Fatal("ended with a connection open")
	default:
	}
	w.HandleConn(t.Context(), &stats.ConnEnd{})
	<-gone
}
