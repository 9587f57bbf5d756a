package endpoint

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cdphost/sdk/fault"
)

// debugPort is a stand-in for the HTTP side of a browser's debugging port.
type debugPort struct {
	*httptest.Server
	host string
}

// newDebugPort serves answer under /json/version. %s in answer is the Host header
// of the request, as in Chrome's.
func newDebugPort(t *testing.T, answer string) debugPort {
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != versionPath {
			http.NotFound(w, r)
			return
		}
		_, _ = fmt.Fprint(w, strings.ReplaceAll(answer, "%s", r.Host))
	})
}

func serve(t *testing.T, h http.HandlerFunc) debugPort {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return debugPort{s, s.Listener.Addr().String()}
}

func chromeAnswer(ws string) string {
	return `{"Browser": "Chrome/156.0.1.2", "Protocol-Version": "1.3", "User-Agent": "UA", "webSocketDebuggerUrl": "` + ws + `"}`
}

func TestResolve(t *testing.T) {
	t.Parallel()
	own := newDebugPort(t, chromeAnswer("ws://%s/devtools/browser/a1"))
	_, port, _ := net.SplitHostPort(own.host)
	elsewhere := newDebugPort(t, chromeAnswer("ws://127.0.0.1:1/devtools/browser/a1"))
	unspecified := newDebugPort(t, chromeAnswer("ws://[::]:1/devtools/browser/a1?own=1"))
	service := newDebugPort(t, chromeAnswer("wss://b.chrome.test/devtools/browser/a1?token=new"))
	prefixed := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/chrome/json/version" {
			_, _ = fmt.Fprint(w, chromeAnswer("ws://localhost/chrome/devtools/browser/a1"))
			return
		}
		http.NotFound(w, r)
	})
	for _, tc := range []struct {
		name, in, want string
		via            Via
	}{
		{"full address", "ws://chrome.test/devtools/browser/a1?t=1", "ws://chrome.test/devtools/browser/a1?t=1", ViaGiven},
		{"full address with TLS", "wss://chrome.test/devtools/browser/a1", "wss://chrome.test/devtools/browser/a1", ViaGiven},
		{"full address without scheme", "chrome.test:1/devtools/browser/a1", "ws://chrome.test:1/devtools/browser/a1", ViaGiven},
		{"a service's path", "wss://chrome.test/session/x1?t=1", "wss://chrome.test/session/x1?t=1", ViaGiven},
		{"http", own.URL, "ws://" + own.host + "/devtools/browser/a1", ViaVersion},
		{"http and path", own.URL + "/json/version", "ws://" + own.host + "/devtools/browser/a1", ViaVersion},
		{"http and list", own.URL + "/json/list", "ws://" + own.host + "/devtools/browser/a1", ViaVersion},
		{"host and port", own.host, "ws://" + own.host + "/devtools/browser/a1", ViaVersion},
		{"port", port, "ws://127.0.0.1:" + port + "/devtools/browser/a1", ViaVersion},
		{"name of this machine", "localhost:" + port, "ws://localhost:" + port + "/devtools/browser/a1", ViaVersion},
		{"web socket without path", "ws://" + own.host, "ws://" + own.host + "/devtools/browser/a1", ViaVersion},
		{"web socket with slash", "ws://" + own.host + "/", "ws://" + own.host + "/devtools/browser/a1", ViaVersion},
		{"query is kept", own.URL + "?token=a%20b&x=1", "ws://" + own.host + "/devtools/browser/a1?token=a%20b&x=1", ViaVersion},
		{"credentials are kept", "http://u:p@" + own.host, "ws://u:p@" + own.host + "/devtools/browser/a1", ViaVersion},
		{"loopback authority is replaced", elsewhere.host + "?t=1", "ws://" + elsewhere.host + "/devtools/browser/a1?t=1", ViaVersion},
		{"unspecified authority is replaced", unspecified.host + "?t=1", "ws://" + unspecified.host + "/devtools/browser/a1?own=1&t=1", ViaVersion},
		{"another authority stays", service.host + "?token=old&x=1", "wss://b.chrome.test/devtools/browser/a1?token=new&x=1", ViaVersion},
		{"credentials stay with their host", "u:p@" + service.host, "wss://b.chrome.test/devtools/browser/a1?token=new", ViaVersion},
		{"path before", prefixed.URL + "/chrome/", "ws://" + prefixed.host + "/chrome/devtools/browser/a1", ViaVersion},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got, info, err := Resolve(t.Context(), mustParse(t, tc.in), ResolveOptions{Wait: -1})
			if err != nil || got.Reveal() != tc.want || info.Via != tc.via || !got.IsDirect() {
				t.Fatalf("got %q %+v, %v\nwant %q via %s", got.Reveal(), info, err, tc.want, tc.via)
			}
			again, _, err := Resolve(t.Context(), got, ResolveOptions{Wait: -1})
			if err != nil || again != got {
				t.Errorf("resolving the result changed it: %q, %v", again.Reveal(), err)
			}
		})
	}
}

func TestResolveInfo(t *testing.T) {
	t.Parallel()
	own := newDebugPort(t, chromeAnswer("ws://%s/devtools/browser/a1"))
	_, info, err := Resolve(t.Context(), mustParse(t, own.URL), ResolveOptions{})
	want := Info{Via: ViaVersion, Browser: "Chrome/156.0.1.2", ProtocolVersion: "1.3", UserAgent: "UA"}
	if err != nil || info != want {
		t.Errorf("got %+v, %v", info, err)
	}
}

func TestResolveSendsQueryHeaderAndCredentials(t *testing.T) {
	t.Parallel()
	got := make(chan *http.Request, 1)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got <- r
		_, _ = fmt.Fprint(w, chromeAnswer("ws://x.test/devtools/browser/a1"))
	})
	u := mustParse(t, "http://me:pw@"+s.host+"?token=sesame")
	if _, _, err := Resolve(t.Context(), u, ResolveOptions{Header: http.Header{"X-Key": {"k"}}}); err != nil {
		t.Fatal(err)
	}
	r := <-got
	user, pass, _ := r.BasicAuth()
	if r.URL.RawQuery != "token=sesame" || r.Header.Get("X-Key") != "k" || user != "me" || pass != "pw" || r.Header.Get("Origin") != "" {
		t.Errorf("got %s with %v", r.URL, r.Header)
	}
}

func TestResolveOverTLS(t *testing.T) {
	t.Parallel()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprint(w, chromeAnswer("ws://127.0.0.1:9222/devtools/browser/a1"))
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	host := s.Listener.Addr().String()
	for _, scheme := range []string{"https", "wss"} {
		got, _, err := Resolve(t.Context(), mustParse(t, scheme+"://"+host+"?t=1"), ResolveOptions{HTTPClient: s.Client()})
		if want := "wss://" + host + "/devtools/browser/a1?t=1"; err != nil || got.Reveal() != want {
			t.Errorf("%s: got %q, %v; want %q", scheme, got.Reveal(), err, want)
		}
	}
	_, _, err := Resolve(t.Context(), mustParse(t, "https://"+host), ResolveOptions{})
	if !errors.Is(err, fault.EndpointUnreachable) || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("unknown certificate: %v", err)
	}
}

func TestResolveIPv6(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Skip("this machine has no IPv6:", err)
	}
	s := &httptest.Server{Listener: l, Config: &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprint(w, chromeAnswer("ws://localhost:9222/devtools/browser/a1"))
	})}}
	s.Start()
	t.Cleanup(s.Close)
	got, _, err := Resolve(t.Context(), mustParse(t, l.Addr().String()), ResolveOptions{})
	if want := "ws://" + l.Addr().String() + "/devtools/browser/a1"; err != nil || got.Reveal() != want {
		t.Errorf("got %q, %v", got.Reveal(), err)
	}
}

// Chrome refuses a Host header that is a name, so the name is replaced by an
// address, for the WebSocket too.
func TestResolveByAddressWhereChromeRefusesNames(t *testing.T) {
	t.Parallel()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.Host, "127.0.0.1:") {
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = fmt.Fprint(w, "Host header is specified and is not an IP address or localhost.")
			return
		}
		_, _ = fmt.Fprintf(w, chromeAnswer("ws://%s/devtools/browser/a1"), r.Host)
	})
	_, port, _ := net.SplitHostPort(s.host)
	got, _, err := Resolve(t.Context(), mustParse(t, "localhost:"+port), ResolveOptions{})
	if want := "ws://127.0.0.1:" + port + "/devtools/browser/a1"; err != nil || got.Reveal() != want {
		t.Errorf("got %q, %v; want %q", got.Reveal(), err, want)
	}
}

func TestResolveThroughActivePort(t *testing.T) {
	t.Parallel()
	s := serve(t, http.NotFound)
	_, port, _ := net.SplitHostPort(s.host)
	profile := t.TempDir()
	write(t, filepath.Join(profile, activePortFile), port+"\n/devtools/browser/a1b2\n")
	for _, in := range []string{s.host, "http://" + s.host, "ws://" + s.host, "http://" + s.host + "?t=1"} {
		got, info, err := Resolve(t.Context(), mustParse(t, in), ResolveOptions{Profile: profile})
		if want := "ws://127.0.0.1:" + port + "/devtools/browser/a1b2"; err != nil || got.Reveal() != want || info.Via != ViaActivePort {
			t.Errorf("%s: got %q %v, %v", in, got.Reveal(), info.Via, err)
		}
	}
	write(t, filepath.Join(profile, activePortFile), "1\n/devtools/browser/a1b2\n")
	if _, _, err := Resolve(t.Context(), mustParse(t, s.host), ResolveOptions{Profile: profile}); !errors.Is(err, fault.EndpointNotCDP) {
		t.Errorf("the file of another port was used: %v", err)
	}
}

func TestResolveServiceWithoutVersion(t *testing.T) {
	t.Parallel()
	s := serve(t, http.NotFound)
	u := mustParse(t, "ws://"+s.host+"?token=x")
	got, info, err := Resolve(t.Context(), u, ResolveOptions{})
	if err != nil || got != u.Direct() || info.Via != ViaGiven {
		t.Errorf("got %v %v, %v", got, info, err)
	}
}

func TestResolveErrors(t *testing.T) {
	t.Parallel()
	status := func(code int, header ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			if len(header) == 2 {
				w.Header().Set(header[0], header[1])
			}
			w.WriteHeader(code)
		}
	}
	body := func(s string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, s) }
	}
	for _, tc := range []struct {
		name    string
		handler http.HandlerFunc
		code    fault.Code
		says    string
	}{
		{"another web server", http.NotFound, fault.EndpointNotCDP, "has no /json/version (HTTP 404)"},
		{"a failing web server", status(500), fault.EndpointNotCDP, "HTTP 500"},
		{"a page for everything", body("<html>hello</html>"), fault.EndpointNotCDP, "not that of a browser"},
		{"JSON of something else", body(`{"version": 2}`), fault.EndpointNotCDP, "without the browser's webSocketDebuggerUrl"},
		{"JSON of another shape", body(`[]`), fault.EndpointNotCDP, "not that of a browser"},
		{"no WebSocket address", body(chromeAnswer("http://a.test/x")), fault.EndpointNotCDP, "webSocketDebuggerUrl"},
		{"no usable port", body(chromeAnswer("ws://a.test:70000/x")), fault.EndpointNotCDP, "not a usable address"},
		{"endless", body(strings.Repeat("x", answerLimit+1)), fault.EndpointNotCDP, "does not speak"},
		{"redirects for ever", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.String(), http.StatusFound) }, fault.EndpointNotCDP, "redirects"},
		{"wrong token", status(401), fault.EndpointUnreachable, "check the token"},
		{"forbidden", status(403), fault.EndpointUnreachable, "refuses access"},
		{"too many", status(429, "Retry-After", "7"), fault.EndpointUnreachable, "try again later"},
		{"bad gateway", status(502), fault.EndpointUnreachable, "try again later"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, tc.handler)
			got, info, err := Resolve(t.Context(), mustParse(t, "http://u:sesame@"+s.host+"/?token=sesame2"), ResolveOptions{Profile: t.TempDir()})
			checkSentence(t, err, tc.code, s.host, tc.says)
			if !got.IsZero() || info != (Info{}) {
				t.Errorf("got %v, %v", got, info)
			}
		})
	}
}

// checkSentence asserts code and text, that the text names the host, is one
// clear line, and holds no secret.
func checkSentence(t *testing.T, err error, code fault.Code, host, says string) {
	t.Helper()
	if fault.CodeOf(err) != code || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), host) {
		t.Errorf("got %v\nwant %s … %q … %s", err, code, host, says)
	}
	for e := err; e != nil; e = errors.Unwrap(e) {
		if text := fmt.Sprintf("%v %+v %#v", e, e, e); strings.Contains(text, "sesame") || strings.Contains(e.Error(), "\n") {
			t.Errorf("text shows a secret or several lines: %s", text)
		}
	}
}

func TestResolveNotHTTP(t *testing.T) {
	t.Parallel()
	for name, say := range map[string]string{"another protocol": "220 mail.test ESMTP\r\n", "nothing": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			host := rawServer(t, func(c net.Conn) { _, _ = c.Write([]byte(say)) })
			_, _, err := Resolve(t.Context(), mustParse(t, host+"?t=sesame"), ResolveOptions{})
			checkSentence(t, err, fault.EndpointNotCDP, host, "does not speak the HTTP")
		})
	}
}

// rawServer serves each connection with f and closes it.
func rawServer(t *testing.T, f func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = c.Read(make([]byte, 4096))
			f(c)
			_ = c.Close()
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-done
	})
	return l.Addr().String()
}

func TestResolveTLSOnPlainPort(t *testing.T) {
	t.Parallel()
	s := serve(t, http.NotFound)
	_, _, err := Resolve(t.Context(), mustParse(t, "wss://"+s.host), ResolveOptions{})
	checkSentence(t, err, fault.EndpointUnreachable, s.host, "does not speak TLS")
}

func TestResolvePageAddress(t *testing.T) {
	t.Parallel()
	_, _, err := Resolve(t.Context(), mustParse(t, "ws://chrome.test:9222/devtools/page/a1"), ResolveOptions{})
	checkSentence(t, err, fault.InvalidArgument, "http://chrome.test:9222", "one page")
	_, _, err = Resolve(t.Context(), URL{}, ResolveOptions{})
	checkSentence(t, err, fault.InvalidArgument, "", "browser.cdp_url")
}

// closedPort returns an address where nothing listens.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

func TestResolveRefused(t *testing.T) {
	t.Parallel()
	host := closedPort(t)
	for name, wait := range map[string]time.Duration{"without waiting": -1, "after waiting": 120 * time.Millisecond} {
		_, _, err := Resolve(t.Context(), mustParse(t, host+"?t=sesame"), ResolveOptions{Wait: wait})
		t.Log(name)
		checkSentence(t, err, fault.EndpointUnreachable, host, "connection refused")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, _, err := Resolve(ctx, mustParse(t, host), ResolveOptions{Wait: time.Hour})
	checkSentence(t, err, fault.EndpointUnreachable, host, "connection refused")
}

func TestResolveCancelled(t *testing.T) {
	t.Parallel()
	host := closedPort(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := Resolve(ctx, mustParse(t, host), ResolveOptions{Wait: time.Hour})
	checkSentence(t, err, fault.Aborted, host, "cancelled")
}

func TestResolveWaitsForABrowserThatStarts(t *testing.T) {
	t.Parallel()
	host := closedPort(t)
	tried := make(chan struct{})
	client := newHTTPClient()
	client.Transport = announce{client.Transport, tried}
	done := make(chan error, 1)
	go func() {
		_, _, err := Resolve(context.Background(), mustParse(t, host), ResolveOptions{Wait: time.Minute, HTTPClient: client})
		done <- err
	}()
	<-tried
	l, err := net.Listen("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	s := &httptest.Server{Listener: l, Config: &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprint(w, chromeAnswer("ws://"+r.Host+"/devtools/browser/a1"))
	})}}
	s.Start()
	t.Cleanup(s.Close)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// announce tells when the first request came back.
type announce struct {
	next http.RoundTripper
	c    chan struct{}
}

func (a announce) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := a.next.RoundTrip(r)
	select {
	case <-a.c:
	default:
		close(a.c)
	}
	return res, err
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
