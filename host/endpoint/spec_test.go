package endpoint

import (
	"encoding/json"
	"testing"
	"time"
)

func TestSpecKey(t *testing.T) {
	t.Parallel()
	cdp := func(address string) Spec { return Spec{Kind: CDP, URL: mustParse(t, address)} }
	for _, tc := range []struct {
		name string
		a, b Spec
		same bool
	}{
		{"spellings of one port", cdp("localhost:9222"), cdp("http://127.0.0.1:9222/json/version"), true},
		{"ways to one port", cdp("http://chrome.test:80"), cdp("ws://CHROME.test/"), true},
		{"order of the query", cdp("ws://a.test?x=1&y=2"), cdp("ws://a.test?y=2&x=1"), true},
		{"TLS or not", cdp("http://a.test:443"), cdp("https://a.test"), false},
		{"ports", cdp("a.test:1"), cdp("a.test:2"), false},
		{"tokens", cdp("ws://a.test?token=1"), cdp("ws://a.test?token=2"), false},
		{"users", cdp("http://u@a.test"), cdp("http://v@a.test"), false},
		{"browsers of one port", cdp("ws://a.test/devtools/browser/1"), cdp("ws://a.test/devtools/browser/2"), false},
		{"addresses of this machine", cdp("127.0.0.1:9222"), cdp("127.0.0.2:9222"), false},
		{"IPv6 is another address", cdp("[::1]:9222"), cdp("127.0.0.1:9222"), false},
		{"owners", cdp("a.test:1"), Spec{Kind: CDP, URL: mustParse(t, "a.test:1"), UserOwned: true}, false},
		{"kinds", Spec{Kind: Local}, Spec{Kind: None}, false},
		{"windows", Spec{Kind: Local}, Spec{Kind: Local, Headless: true}, false},
		{"flags", Spec{Kind: Local, Args: []string{"--a", "--b"}}, Spec{Kind: Local, Args: []string{"--a --b"}}, false},
		{"executables", Spec{Kind: Local, Executable: "a"}, Spec{Kind: Local, Executable: "b"}, false},
		{"a URL means nothing to a local one", Spec{Kind: Local, URL: mustParse(t, "a.test:1")}, Spec{Kind: Local}, true},
		{"rentals", Spec{Kind: Browserbase, Rental: Rental{Timeout: time.Minute}}, Spec{Kind: Browserbase}, false},
		{"equal rentals", Spec{Kind: Browserbase, Rental: Rental{Proxies: json.RawMessage(`true`)}}, Spec{Kind: Browserbase, Rental: Rental{Proxies: json.RawMessage(`true`)}}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got := tc.a.Key() == tc.b.Key(); got != tc.same {
				t.Errorf("same is %v", got)
			}
		})
	}
	if key := cdp("ws://a.test?token=sesame").Key(); len(key) != 32 {
		t.Errorf("key %q", key)
	}
}

func TestShareable(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		spec Spec
		want bool
	}{
		{Spec{Kind: Local}, true},
		{Spec{Kind: Local, Isolated: true}, false},
		{Spec{Kind: CDP}, true},
		{Spec{Kind: Browserbase}, false},
		{Spec{Kind: Camofox}, false},
		{Spec{Kind: None}, false},
	} {
		if got := tc.spec.Shareable(); got != tc.want {
			t.Errorf("%+v: %v", tc.spec, got)
		}
	}
	if !Local.HasCDP() || Camofox.HasCDP() || None.HasCDP() {
		t.Error("HasCDP is wrong")
	}
}
