package endpoint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"
	"gopkg.in/yaml.v3"
)

// secretURL has a secret in every part that can hold one.
const secretURL = "wss://adm1n:sesame01@chrome.test:9222/sesame02/devtools/browser/5e5a3e03-5e5a-4e03-9e5a-5e5a3e03abcd?apiKey=sesame04&plain=sesame%2005&sesame06token"

var secretParts = []string{"adm1n", "sesame", "5e5a3e03", hexOf("sesame"), hexOf("5e5a3e03")}

func hexOf(s string) string { return fmt.Sprintf("%x", s) }

func noSecrets(t *testing.T, how, text string) {
	t.Helper()
	for _, secret := range secretParts {
		if strings.Contains(strings.ToLower(text), secret) {
			t.Errorf("%s shows %q: %s", how, secret, text)
		}
	}
}

func TestString(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, in, want string }{
		{"everything", secretURL, "wss://***@chrome.test:9222/***/devtools/browser/***?apiKey=***&plain=***&***"},
		{"nothing to hide", "http://chrome.test:9222/json/version", "http://chrome.test:9222/json/version"},
		{"words and versions stay", "wss://a.test/v1/cdp/chromium-headless?launch=x", "wss://a.test/v1/cdp/chromium-headless?launch=***"},
		{"long words go", "wss://a.test/abcdefghijklmnopqrstuvwxyz", "wss://a.test/***"},
		{"IPv6", "ws://[::1]:9222/devtools/browser/a1", "ws://[::1]:9222/devtools/browser/***"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got := mustParse(t, tc.in).String(); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
	if got := (URL{}).String(); got != "" {
		t.Errorf("zero: %q", got)
	}
}

func TestEveryPrintIsRedacted(t *testing.T) {
	t.Parallel()
	u := mustParse(t, secretURL)
	type exported struct {
		U  URL
		P  *URL
		M  map[string]URL
		In any
	}
	type unexported struct {
		u  URL
		p  *URL
		in any
	}
	values := []any{
		u, &u, []URL{u}, map[URL]URL{u: u}, [1]any{u},
		exported{u, &u, map[string]URL{"a": u}, u}, &exported{u, &u, nil, u},
		unexported{u, &u, u}, &unexported{u, &u, u}, Spec{Kind: CDP, URL: u}, &Process{url: u},
	}
	verbs := "vsqdxXTpbcoOUeEfFgGtw"
	for _, flags := range []string{"", "+", "#", " ", "-80", "080", "#+", ".3"} {
		for _, verb := range verbs {
			for _, value := range values {
				format := "%" + flags + string(verb)
				noSecrets(t, fmt.Sprintf("%s of %T", format, value), fmt.Sprintf(format, value))
			}
		}
	}
}

func TestGoStringAndWidth(t *testing.T) {
	t.Parallel()
	u := mustParse(t, "ws://a.test/x?k=v")
	for format, want := range map[string]string{
		"%v": "ws://a.test/x?k=***", "%d": "ws://a.test/x?k=***", "%q": `"ws://a.test/x?k=***"`,
		"%#v": `endpoint.URL("ws://a.test/x?k=***")`, "%22s|": "   ws://a.test/x?k=***|", "%-22v|": "ws://a.test/x?k=***   |",
	} {
		if got := fmt.Sprintf(format, u); got != want {
			t.Errorf("%s: %q, want %q", format, got, want)
		}
	}
}

func TestMarshalIsRedacted(t *testing.T) {
	t.Parallel()
	u := mustParse(t, secretURL)
	value := struct {
		U URL             `json:"u" yaml:"u"`
		P *URL            `json:"p" yaml:"p"`
		M map[URL]string  `json:"m" yaml:"-"`
		S map[string]*URL `json:"s" yaml:"s"`
	}{u, &u, map[URL]string{u: "x"}, map[string]*URL{"a": &u}}
	j, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	noSecrets(t, "json", string(j))
	if !strings.Contains(string(j), "chrome.test:9222") {
		t.Errorf("json lost the host: %s", j)
	}
	y, err := yaml.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	noSecrets(t, "yaml", string(y))
	if !strings.Contains(string(y), "chrome.test:9222") {
		t.Errorf("yaml lost the host: %s", y)
	}
}

func TestLogsAreRedacted(t *testing.T) {
	t.Parallel()
	u := mustParse(t, secretURL)
	for _, asJSON := range []bool{false, true} {
		var b bytes.Buffer
		log := hclog.New(&hclog.LoggerOptions{Output: &b, JSONFormat: asJSON, Level: hclog.Trace})
		log.With("with", u).Info("message", "url", u, "pointer", &u, "list", []URL{u}, "fmt", hclog.Fmt("%+v", u), "quoted", hclog.Quote(u.String()),
			"map", map[string]URL{"a": u}, "error", u.Scrub(fmt.Errorf("dial %s", u.Reveal())))
		noSecrets(t, "hclog", b.String())
		if strings.Count(b.String(), "chrome.test:9222") < 5 {
			t.Errorf("hclog lost the host: %s", b.String())
		}
	}
	var b bytes.Buffer
	for _, h := range []slog.Handler{slog.NewTextHandler(&b, nil), slog.NewJSONHandler(&b, nil)} {
		slog.New(h).With("with", u).Info("message", "url", u, "pointer", &u, "list", []URL{u}, "group", slog.GroupValue(slog.Any("u", u)))
	}
	noSecrets(t, "slog", b.String())
	if strings.Count(b.String(), "chrome.test:9222") < 8 {
		t.Errorf("slog lost the host: %s", b.String())
	}
}
