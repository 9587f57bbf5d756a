package endpoint

import (
	"context"
	"errors"
	"net"
	"net/http"
	"testing"

	"github.com/coder/websocket"

	"cdphost/sdk/fault"
)

func TestDialRefusals(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		status int
		code   fault.Code
		says   string
	}{
		{"one connection only", 429, fault.EndpointUnreachable, "can't serve a browser now (HTTP 429)"},
		{"wrong token", 401, fault.EndpointUnreachable, "check the token"},
		{"denied by the user", 403, fault.EndpointUnreachable, "refuses access"},
		{"busy", 503, fault.EndpointUnreachable, "try again later"},
		{"no such browser", 404, fault.EndpointNotCDP, "has no browser under this path"},
		{"a web server", 200, fault.EndpointNotCDP, "opens no WebSocket"},
		{"a failing web server", 500, fault.EndpointNotCDP, "opens no WebSocket"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Retry-After", "3")
				w.WriteHeader(tc.status)
			})
			_, err := Dial(t.Context(), mustParse(t, "ws://u:sesame@"+s.host+"/devtools/browser/a1?t=sesame"), DialOptions{})
			checkSentence(t, err, tc.code, s.host, tc.says)
			var f *fault.Error
			if !errors.As(err, &f) || f.Details["status"] != tc.status || tc.status == 429 && f.Details["retry_after_s"] != 3 {
				t.Errorf("details %v", f.Details)
			}
		})
	}
}

func TestDialSendsHeadersButNoOrigin(t *testing.T) {
	t.Parallel()
	got := make(chan *http.Request, 1)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got <- r
		if c, err := websocket.Accept(w, r, nil); err == nil {
			_ = c.CloseNow()
		}
	})
	u := mustParse(t, "ws://me:pw@"+s.host+"/devtools/browser/a1?t=1")
	transport, err := Dial(t.Context(), u, DialOptions{Header: http.Header{"X-Key": {"k"}}})
	if err != nil {
		t.Fatal(err)
	}
	_ = transport.Close()
	r := <-got
	user, _, _ := r.BasicAuth()
	if len(r.Header.Values("Origin")) != 0 || r.Header.Get("X-Key") != "k" || user != "me" || r.URL.RawQuery != "t=1" {
		t.Errorf("got %s %v", r.URL, r.Header)
	}
}

func TestDialNotHTTP(t *testing.T) {
	t.Parallel()
	host := rawServer(t, func(c net.Conn) { _, _ = c.Write([]byte("SSH-2.0-x\r\n")) })
	_, err := Dial(t.Context(), mustParse(t, "ws://"+host+"/devtools/browser/a1?t=sesame"), DialOptions{})
	checkSentence(t, err, fault.EndpointNotCDP, host, "does not speak")
}

func TestDialCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Dial(ctx, mustParse(t, "ws://127.0.0.1:9/devtools/browser/a1"), DialOptions{})
	checkSentence(t, err, fault.Aborted, "127.0.0.1:9", "cancelled")
	_, err = Dial(t.Context(), URL{}, DialOptions{})
	checkSentence(t, err, fault.InvalidArgument, "", "No browser address")
}
