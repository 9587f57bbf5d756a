package endpoint

import (
	"errors"
	"strings"
	"testing"

	"cdphost/sdk/fault"
)

func TestParseURL(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, in, want string }{
		{"web socket", "ws://127.0.0.1:9222/devtools/browser/ab-12", "ws://127.0.0.1:9222/devtools/browser/ab-12"},
		{"scheme and host in capitals", "WS://LOCALHOST:9222/X", "ws://localhost:9222/X"},
		{"https", "https://chrome.example.com?token=a%20b", "https://chrome.example.com?token=a%20b"},
		{"host and port", "localhost:9222", "http://localhost:9222"},
		{"host, port and query", "chrome.test:3000?token=abc", "http://chrome.test:3000?token=abc"},
		{"host alone", "chrome.test", "http://chrome.test:9222"},
		{"port alone", "9333", "http://127.0.0.1:9333"},
		{"colon and port", ":9333", "http://127.0.0.1:9333"},
		{"bare IPv6", "::1", "http://[::1]:9222"},
		{"IPv6 with port", "[::1]:9333", "http://[::1]:9333"},
		{"IPv6 web socket", "ws://[2001:db8::1]:9222/devtools/browser/x1", "ws://[2001:db8::1]:9222/devtools/browser/x1"},
		{"bare with a browser's path", "127.0.0.1:9222/devtools/browser/x1", "ws://127.0.0.1:9222/devtools/browser/x1"},
		{"credentials", "http://user:p%40ss@chrome.test:80/", "http://user:p%40ss@chrome.test:80/"},
		{"space around", "  http://chrome.test:80 \n", "http://chrome.test:80"},
		{"fragment is dropped", "http://chrome.test:80/#x", "http://chrome.test:80/"},
		{"empty port", "http://chrome.test:", "http://chrome.test"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			u, err := ParseURL(tc.in)
			if err != nil || u.Reveal() != tc.want {
				t.Errorf("got %q, %v; want %q", u.Reveal(), err, tc.want)
			}
			again, err := ParseURL(u.Reveal())
			if err != nil || again != u {
				t.Errorf("not stable: %q, %v", again.Reveal(), err)
			}
		})
	}
}

func TestParseURLErrors(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, in string }{
		{"empty", " "},
		{"scheme", "ftp://sesame99@chrome.test"},
		{"no host", "ws:///devtools/browser/sesame99"},
		{"port too big", "http://u:sesame99@chrome.test:70000"},
		{"port zero", "chrome.test:0?sesame99"},
		{"port is no number", "http://chrome.test:sesame99"},
		{"bad escape", "http://chrome.test/%zzsesame99"},
		{"control character", "http://chrome.test/\x00sesame99"},
		{"bare nonsense", "a b sesame99"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			u, err := ParseURL(tc.in)
			if !errors.Is(err, fault.InvalidArgument) || !u.IsZero() {
				t.Fatalf("got %v, %v", u, err)
			}
			for e := err; e != nil; e = errors.Unwrap(e) {
				if strings.Contains(e.Error(), "sesame99") {
					t.Errorf("error quotes the address: %v", e)
				}
			}
		})
	}
}

func TestURLComparesByAddress(t *testing.T) {
	t.Parallel()
	a, b := mustParse(t, "http://chrome.test:80/x"), mustParse(t, "http://chrome.test:80/x")
	if a != b || a.Direct() != b.Direct() || a == a.Direct() {
		t.Error("equal addresses must be equal values, and differ from direct ones")
	}
	if !a.Direct().IsDirect() || a.IsDirect() || (URL{}).Direct().IsDirect() {
		t.Error("IsDirect is wrong")
	}
}

func TestIsLoopback(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]bool{
		"localhost:1": true, "LOCALHOST.:1": true, "a.localhost:1": true, "127.8.9.1:1": true, "[::1]:1": true,
		"[::ffff:127.0.0.1]:1": true, "localhost.test:1": false, "10.0.0.1:1": false, "[2001:db8::1]:1": false, "0.0.0.0:1": false,
	} {
		if got := mustParse(t, in).IsLoopback(); got != want {
			t.Errorf("%s: %v", in, got)
		}
	}
}
