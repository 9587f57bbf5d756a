package tool

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"cdphost/host/cdp"
	"cdphost/sdk/fault"
)

func TestRedact(t *testing.T) {
	t.Parallel()
	const key = "sk-abcdefghijklmnopqrstuv"
	jwt := "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.SflKxwRJSMeKKF2QT4"
	r := NewRedactor("host-own-secret", "short")
	for _, tc := range []struct {
		name, method, in, want string
		n                      int
	}{
		{"nothing", "Runtime.evaluate", `{"result":{"value":"hello"}}`, `{"result":{"value":"hello"}}`, 0},
		{"a key", "Runtime.evaluate", `{"result":{"value":"k=` + key + `;"}}`, `{"result":{"value":"k=[redacted];"}}`, 1},
		{"a token", "Runtime.evaluate", `{"a":["` + jwt + `"]}`, `{"a":["[redacted]"]}`, 1},
		{"escaped", "Runtime.evaluate", `{"a":"\u0073k-abcdefghijklmnopqrstuv \"x\""}`, `{"a":"[redacted] \"x\""}`, 1},
		{"a private key", "Runtime.evaluate", `{"a":"-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----"}`, `{"a":"[redacted]"}`, 1},
		{"the host's own", "Runtime.evaluate", `{"a":"x host-own-secret y","b":"short"}`, `{"a":"x [redacted] y","b":"short"}`, 1},
		{"a field's name", "Runtime.evaluate", `{"` + key + `":1}`, `{"[redacted]":1}`, 1},
		{"screenshot", "Page.captureScreenshot", `{"data":"` + key + `"}`, `{"data":"` + key + `"}`, 0},
		{"binary body", "Network.getResponseBody", `{"body":"` + key + `","base64Encoded":true}`, `{"body":"` + key + `","base64Encoded":true}`, 0},
		{"text body", "Network.getResponseBody", `{"body":"` + key + `","base64Encoded":false}`, `{"body":"[redacted]","base64Encoded":false}`, 1},
		{"a page that names its field so", "Runtime.evaluate", `{"result":{"value":{"base64Encoded":true,"body":"` + key + `","data":"` + key + `"}}}`,
			`{"result":{"value":{"base64Encoded":true,"body":"[redacted]","data":"[redacted]"}}}`, 2},
		{"other fields of a screenshot", "Page.captureScreenshot", `{"data":"x","note":"` + key + `"}`, `{"data":"x","note":"[redacted]"}`, 1},
		{"nested field of that name", "Page.captureScreenshot", `{"x":{"data":"` + key + `"}}`, `{"x":{"data":"[redacted]"}}`, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got, n := r.Result(tc.method, json.RawMessage(tc.in))
			if string(got) != tc.want || n != tc.n {
				t.Errorf("got %s (%d), want %s (%d)", got, n, tc.want, tc.n)
			}
		})
	}
}

func TestRedactFault(t *testing.T) {
	t.Parallel()
	const key = "sk-abcdefghijklmnopqrstuv"
	var r *Redactor
	plain := fault.New(fault.CDPError, "Nothing to hide.")
	if got := r.Fault(plain); !errors.Is(got, plain) {
		t.Errorf("got %v", got)
	}
	got := r.Fault(fault.New(fault.CDPError, "Refused %s.", key).With("cdp", &cdp.Error{Code: 1, Message: key}))
	data, err := json.Marshal(Fail(got).Structured)
	if err != nil {
		t.Fatal(err)
	}
	if fault.CodeOf(got) != fault.CDPError || strings.Contains(string(data), key) || !strings.Contains(string(data), redacted) {
		t.Errorf("got %s", data)
	}
}

func TestNilRedactorKnowsTheForms(t *testing.T) {
	t.Parallel()
	var r *Redactor
	if got, n := r.Text("ghp_" + strings.Repeat("a1", 18)); got != redacted || n != 1 {
		t.Errorf("%q, %d", got, n)
	}
}

func FuzzRedact(f *testing.F) {
	f.Add("Runtime.evaluate", `{"a":"sk-abcdefghijklmnopqrstuv"}`)
	f.Add("IO.read", `{"data":"\\\"","base64Encoded":true}`)
	f.Fuzz(func(t *testing.T, method, in string) {
		if !json.Valid([]byte(in)) {
			t.Skip()
		}
		if out, _ := NewRedactor().Result(method, json.RawMessage(in)); !json.Valid(out) {
			t.Errorf("%s became %s", in, out)
		}
	})
}
