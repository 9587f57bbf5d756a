package cdp

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

func TestDialSendsHeaders(t *testing.T) {
	t.Parallel()
	got := make(chan http.Header, 1)
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got <- r.Header }))
	defer s.Close()
	_, err := Dial(t.Context(), s.URL, DialOptions{Header: http.Header{"X-Key": {"k"}}, HTTPClient: s.Client()})
	if err == nil {
		t.Fatal("a plain answer was taken for a handshake")
	}
	h := <-got
	if h.Get("X-Key") != "k" || h.Get("Origin") != "" || h.Get("Sec-WebSocket-Extensions") != "" {
		t.Errorf("header is %v", h)
	}
}

func TestDialErrorsHideTheURL(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "7")
		http.Error(w, "one connection only", http.StatusTooManyRequests)
	}))
	t.Cleanup(s.Close)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()

	for _, tc := range []struct {
		name, url, text string
		status          int
	}{
		{"status", strings.Replace(s.URL, "http", "ws", 1) + "/devtools?token=s3cret", "HTTP status 429", 429},
		{"refused", strings.Replace(gone.URL, "http", "ws", 1) + "/devtools?token=s3cret", "connection refused", 0},
		{"not a URL", "ws://127.0.0.1:s3cret/", "not a valid URL", 0},
		{"escape", "ws://%zzs3cret/", "not a valid URL", 0},
		{"scheme", "ftp://127.0.0.1/s3cret", `unexpected url scheme: "ftp"`, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			client := &http.Client{Transport: &http.Transport{}}
			defer client.CloseIdleConnections()
			_, err := Dial(context.Background(), tc.url, DialOptions{HTTPClient: client})
			var de *DialError
			if !errors.As(err, &de) || de.StatusCode != tc.status {
				t.Fatalf("error is %#v, want a *DialError with status %d", err, tc.status)
			}
			if strings.Contains(err.Error(), "s3cret") || !strings.Contains(err.Error(), tc.text) {
				t.Errorf("text is %q, want %q in it and no secret", err, tc.text)
			}
			if tc.status != 0 && de.Header.Get("Retry-After") != "7" {
				t.Errorf("header is %v", de.Header)
			}
		})
	}
}

func TestDialIsBoundByItsContext(t *testing.T) {
	t.Parallel()
	arrived := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-r.Context().Done()
	}))
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-arrived; cancel() }()
	_, err := Dial(ctx, s.URL+"/?token=s3cret", DialOptions{HTTPClient: s.Client()})
	if !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("error is %v, want %v", err, context.Canceled)
	}
}

// A connection must not depend on the context of its handshake.
func TestConnOutlivesItsDial(t *testing.T) {
	t.Parallel()
	url := newServer(t, echo)
	client := &http.Client{Transport: &http.Transport{}}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	transport, err := Dial(ctx, url, DialOptions{HTTPClient: client})
	must(t, err)
	cancel()
	c := NewConn(transport, Options{})
	got, err := c.Call(t.Context(), Command{Method: "A.echo", Params: json.RawMessage(`{"a":1}`)})
	must(t, err)
	if string(got) != `{"a":1}` {
		t.Errorf("result is %s", got)
	}
	must(t, c.Close())
}

// echo answers every command with its own params.
func echo(ctx context.Context, ws *websocket.Conn) {
	for {
		_, raw, err := ws.Read(ctx)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(raw, &m) != nil {
			return
		}
		reply, err := json.Marshal(map[string]any{"id": m.ID, "result": m.Params})
		if err != nil || ws.Write(ctx, websocket.MessageText, reply) != nil {
			return
		}
	}
}

func TestPingsAreAnswered(t *testing.T) {
	t.Parallel()
	ponged := make(chan error, 1)
	url := newServer(t, func(ctx context.Context, ws *websocket.Conn) {
		ctx = ws.CloseRead(ctx)
		ponged <- ws.Ping(ctx)
		<-ctx.Done()
	})
	dialConn(t, url, Options{})
	must(t, <-ponged)
}

func TestNoPongBehindALongWrite(t *testing.T) {
	t.Parallel()
	var w wsTransport
	for _, tc := range []struct {
		since time.Duration
		want  bool
	}{{0, true}, {pongPatience / 2, true}, {2 * pongPatience, false}} {
		w.writingSince.Store(0)
		if tc.since != 0 {
			w.writingSince.Store(time.Now().Add(-tc.since).UnixNano())
		}
		if got := w.mayPong(t.Context(), nil); got != tc.want {
			t.Errorf("after %v of writing mayPong = %v", tc.since, got)
		}
	}
}
