package supervisor

import (
	"encoding/json"
	"strings"
	"testing"

	"cdphost/host/cdp"
)

func TestWithEvent(t *testing.T) {
	t.Parallel()
	event := json.RawMessage(`{"requestId":"r-1","callFrames":[{"callFrameId":"c-1","n":7}],"list":[1,2]}`)
	for _, tc := range []struct{ name, params, want string }{
		{"nothing to replace", `{"a":"b"}`, `{"a":"b"}`},
		{"whole string", `{"requestId":"{{event.requestId}}"}`, `{"requestId":"r-1"}`},
		{"element of a list", `{"id":"{{event.callFrames.0.callFrameId}}"}`, `{"id":"c-1"}`},
		{"a number stays one", `{"n":"{{event.callFrames.0.n}}"}`, `{"n":7}`},
		{"within a text", `{"a":["x {{event.requestId}}, {{event.list}}"]}`, `{"a":["x r-1, [1,2]"]}`},
		{"not there", `{"a":"{{event.callFrames.4.callFrameId}}"}`, `{"a":null}`},
		{"a text is not an object", `{"a":"{{event.requestId.x}}"}`, `{"a":null}`},
		{"unclosed", `{"a":"{{event.requestId"}`, `{"a":"{{event.requestId"}`},
		{"not JSON", `{{event.requestId}}`, `{{event.requestId}}`},
		{"none", ``, ``},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got := string(withEvent(json.RawMessage(tc.params), event)); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

// TestFill checks that the token reaches every string of a set-up, and that the
// declaration stays as it was.
func TestFill(t *testing.T) {
	t.Parallel()
	declared := BridgeSetup{
		InitScripts:   []InitScript{{Source: "s {{token}} {{token}}", WorldName: "w{{token}}"}},
		FetchPatterns: []FetchPattern{{URLPattern: "p{{token}}"}},
		Bindings:      []string{"b{{token}}"},
		Debugger:      &DebuggerSettings{BlackboxPatterns: []string{"d{{token}}"}},
		Claims: []Claim{{
			URLPrefix: "u{{token}}", FunctionName: "f{{token}}", ScriptURL: "s{{token}}", Binding: "b{{token}}",
			Release: []cdp.Command{{Method: "M.m", Params: json.RawMessage(`{"a":"{{token}}"}`)}},
		}},
	}
	before := string(encode(declared))
	filled := string(encode(fill(declared, "TOKEN")))
	if strings.Contains(filled, tokenMark) || strings.Count(filled, "TOKEN") != strings.Count(before, tokenMark) {
		t.Errorf("filled: %s", filled)
	}
	if after := string(encode(declared)); after != before {
		t.Errorf("the declaration changed: %s", after)
	}
	if a, b := newToken(), newToken(); a == b || len(a) < 26 {
		t.Errorf("tokens %q and %q", a, b)
	}
}

func TestOwnScripts(t *testing.T) {
	t.Parallel()
	in := &installed{token: "TOKEN", setup: BridgeSetup{Claims: []Claim{{Method: debuggerPaused, ScriptURL: "mine-TOKEN"}}}}
	parsed := func(id, url string) {
		in.scripts.parsed(in, encode(map[string]any{
			"scriptId": id, "url": url, "executionContextAuxData": map[string]any{"frameId": "F" + id},
		}))
	}
	parsed("1", "mine-TOKEN")
	parsed("2", "mine")
	parsed("3", "https://a.test/?TOKEN")
	if got := in.scripts.byID; len(got) != 1 || got["1"].frameID != "F1" {
		t.Errorf("scripts: %+v", got)
	}
	for i := range maxOwnScripts + 10 {
		parsed("n"+string(encode(i)), "mine-TOKEN")
	}
	if n := len(in.scripts.byID); n != maxOwnScripts || len(in.scripts.order) != n {
		t.Errorf("%d scripts are kept, %d in order", n, len(in.scripts.order))
	}
}
