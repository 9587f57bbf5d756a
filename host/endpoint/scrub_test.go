package endpoint

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"
)

func TestScrubErrorsOfLibraries(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	host := l.Addr().String()
	_ = l.Close()
	raw := strings.Replace(secretURL, "chrome.test:9222", host, 1)
	u := mustParse(t, raw)
	_, httpErr := newHTTPClient().Get(strings.Replace(raw, "wss", "https", 1))
	_, _, wsErr := websocket.Dial(context.Background(), raw, &websocket.DialOptions{HTTPClient: newHTTPClient()})
	_, reqErr := http.NewRequest("GET", strings.Replace(raw, "apiKey", "%zz\x7f", 1), nil)
	for name, err := range map[string]error{"net/http": httpErr, "websocket": wsErr, "request": reqErr} {
		if err == nil {
			t.Fatalf("%s: no error", name)
		}
		scrubbed := u.Scrub(err)
		for _, format := range []string{"%v", "%+v", "%s", "%q", "%#v", "%d", "%+t", "%x"} {
			noSecrets(t, name, fmt.Sprintf(format, scrubbed))
		}
		for e := scrubbed; e != nil; e = errors.Unwrap(e) {
			noSecrets(t, name+" unwrapped", e.Error())
		}
	}
	if !isRefused(httpErr) || !strings.Contains(u.Scrub(httpErr).Error(), host) {
		t.Errorf("the scrubbed error lost what happened: %v", u.Scrub(httpErr))
	}
}

func TestScrubText(t *testing.T) {
	t.Parallel()
	u := mustParse(t, "wss://a.test/x?token=s%2Fcr3t&on=1&b=true")
	for _, tc := range []struct{ name, in, want string }{
		{"the URL", "dial wss://a.test/x?token=s%2Fcr3t: EOF", "dial wss://a.test/x?token=***: EOF"},
		{"another URL", `Get "http://b.test/y?key=k1": EOF`, `Get "http://b.test/y?key=***": EOF`},
		{"a value alone, encoded", "bad s%2Fcr3t", "bad ***"},
		{"a value alone, decoded", "bad s/cr3t", "bad ***"},
		{"short values leave words alone", "1 is true", "1 is true"},
		{"credentials of a proxy", "proxy socks5://me:pw@p.test:1 fails", "proxy socks5://***@p.test:1 fails"},
		{"not parsable", "http://[::1%zz/secret", "http://***"},
		{"in brackets", "(see http://a.test/q?x=y).", "(see http://a.test/q?x=***)."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got := u.ScrubText(tc.in); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestScrubKeepsIdentity(t *testing.T) {
	t.Parallel()
	u := mustParse(t, "ws://a.test/x")
	if u.Scrub(nil) != nil {
		t.Error("Scrub(nil) is not nil")
	}
	err := u.Scrub(fmt.Errorf("reading: %w", io.ErrUnexpectedEOF))
	if !errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		t.Errorf("errors.Is changed: %v", err)
	}
}
