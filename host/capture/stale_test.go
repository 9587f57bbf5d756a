package capture_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"cdphost/host/capture"
)

// A handle's commands carry the number of its epoch; the mock's record says on
// which socket each arrived.
func TestStaleCommandNeverReachesTheNewSocket(t *testing.T) {
	t.Parallel()
	for n := range 6 { // a link gives up after a few drops in a row
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			staleCommands(t, onMock(t))
		})
	}
}

func staleCommands(t *testing.T, h *host) {
	t.Helper()
	for range 4 {
		handle := h.capture(t, trusted)
		mark := fmt.Sprintf("epoch %d;", handle.Epoch())
		var callers sync.WaitGroup
		for i := range 4 {
			callers.Go(func() {
				for n := 0; handle.Valid() || n < 20; n++ {
					expression := fmt.Sprintf("%q", mark)
					opts := []capture.Option{capture.OnSession(handle.PageSession())}
					if i%2 == 0 {
						opts = append(opts, capture.WithBeforeSend(func(capture.Command, capture.Facts) error { return nil }))
					}
					_, err := handle.Call(context.Background(), "Runtime.evaluate", M{"expression": expression}, opts...)
					if err == nil {
						continue
					}
					// At browser level no session keeps the command from the new socket.
					_, err = handle.Call(context.Background(), "Browser.getVersion", M{"mark": mark})
					if err != nil && handle.Valid() {
						t.Errorf("a valid handle: %v", err)
						return
					}
				}
			})
		}
		h.arrived(t, "Runtime.evaluate", "expression", fmt.Sprintf("%q", mark))
		h.mock.Drop()
		h.reconnected(t, handle.Epoch())
		callers.Wait()
		handle.Release()
	}
	socket := map[string]int{}
	for _, r := range h.mock.Sent("") {
		mark, ok := strings.CutPrefix(strings.Trim(r.Get("expression"), `"`), "epoch ")
		if !ok {
			if mark, ok = strings.CutPrefix(r.Get("mark"), "epoch "); !ok {
				continue
			}
		}
		if first, known := socket[mark]; known && first != r.Conn {
			t.Errorf("commands of epoch %s arrived on sockets %d and %d", mark, first, r.Conn)
		}
		socket[mark] = r.Conn
	}
	if len(socket) == 0 {
		t.Error("no command arrived at all")
	}
	seen := map[int]string{}
	for mark, conn := range socket {
		if other, twice := seen[conn]; twice {
			t.Errorf("epochs %s and %s on one socket %d", mark, other, conn)
		}
		seen[conn] = mark
	}
}
