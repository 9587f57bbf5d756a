package cdp

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"
)

// newServer serves WebSockets on loopback with f and returns its ws URL. At the
// test's end f's context is cancelled and f is waited for.
func newServer(tb testing.TB, f func(ctx context.Context, ws *websocket.Conn)) string {
	tb.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var serving sync.WaitGroup
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		serving.Add(1)
		defer serving.Done()
		if r.Header.Get("Origin") != "" {
			tb.Errorf("handshake has an Origin header, which Chrome refuses")
		}
		ws, err := websocket.Accept(w, r, nil)
		if err != nil {
			tb.Errorf("handshake: %v", err)
			return
		}
		defer func() { _ = ws.CloseNow() }()
		ws.SetReadLimit(-1)
		f(ctx, ws)
	}))
	tb.Cleanup(func() {
		cancel()
		s.Close()
		serving.Wait()
	})
	return "ws" + strings.TrimPrefix(s.URL, "http")
}

// dialConn opens a Conn to url, closed before the server of newServer ends.
func dialConn(tb testing.TB, url string, o Options) *Conn {
	tb.Helper()
	client := &http.Client{Transport: &http.Transport{}}
	transport, err := Dial(context.Background(), url, DialOptions{HTTPClient: client})
	if err != nil {
		tb.Fatal(err)
	}
	c := NewConn(transport, o)
	tb.Cleanup(func() {
		if err := c.Close(); err != nil {
			tb.Errorf("Close: %v", err)
		}
		client.CloseIdleConnections()
	})
	return c
}
