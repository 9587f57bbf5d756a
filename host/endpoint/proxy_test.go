package endpoint

import (
	"fmt"
	"net/http"
	"testing"

	"cdphost/sdk/fault"
)

// The environment belongs to the process, so these tests run alone.

func TestProxyOfEnvironment(t *testing.T) {
	asked := make(chan string, 1)
	proxy := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked <- r.URL.String()
		_, _ = fmt.Fprint(w, chromeAnswer("ws://127.0.0.1:9222/devtools/browser/a1"))
	})
	t.Setenv("HTTP_PROXY", proxy.URL)
	t.Setenv("NO_PROXY", "")
	got, _, err := Resolve(t.Context(), mustParse(t, "http://chrome.invalid:9222?t=1"), ResolveOptions{})
	if want := "ws://chrome.invalid:9222/devtools/browser/a1?t=1"; err != nil || got.Reveal() != want {
		t.Fatalf("got %q, %v", got.Reveal(), err)
	}
	if at := <-asked; at != "http://chrome.invalid:9222/json/version?t=1" {
		t.Errorf("the proxy was asked for %s", at)
	}
}

func TestNoProxyForLoopback(t *testing.T) {
	proxy := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("the proxy was asked") })
	t.Setenv("HTTP_PROXY", proxy.URL)
	t.Setenv("HTTPS_PROXY", proxy.URL)
	s := newDebugPort(t, chromeAnswer("ws://%s/devtools/browser/a1"))
	for _, in := range []string{s.host, "localhost:" + mustParse(t, s.host).parts().Port()} {
		if _, _, err := Resolve(t.Context(), mustParse(t, in), ResolveOptions{}); err != nil {
			t.Error(err)
		}
	}
	host := closedPort(t)
	_, err := Dial(t.Context(), mustParse(t, "ws://"+host+"/devtools/browser/a1"), DialOptions{})
	checkSentence(t, err, fault.EndpointUnreachable, host, "connection refused")
}

func TestUnreachableProxy(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://me:sesame@"+closedPort(t))
	t.Setenv("HTTPS_PROXY", "http://me:sesame@"+closedPort(t))
	for _, in := range []string{"http://chrome.invalid:9222?t=sesame", "https://chrome.invalid:9222?t=sesame"} {
		_, _, err := Resolve(t.Context(), mustParse(t, in), ResolveOptions{})
		checkSentence(t, err, fault.EndpointUnreachable, "chrome.invalid:9222", "proxy")
	}
}
