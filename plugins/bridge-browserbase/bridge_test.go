package browserbase

import (
	"encoding/base64"
	"encoding/json"
	"testing"

	"cdphost/sdk"
)

const token = "abcdefghijklmnopqrstuvwxyz"

// request is a Fetch.requestPaused.
func request(t *testing.T, url, method, body string, entries ...string) json.RawMessage {
	t.Helper()
	r := map[string]any{"url": url, "method": method}
	if body != "" {
		r["postData"] = body
	}
	var parts []any
	for _, e := range entries {
		parts = append(parts, map[string]any{"bytes": base64.StdEncoding.EncodeToString([]byte(e))})
	}
	if parts != nil {
		r["postDataEntries"] = parts
	}
	data, err := json.Marshal(map[string]any{"requestId": "interception-job-1.0", "frameId": "F", "request": r})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestRecognise(t *testing.T) {
	t.Parallel()
	const good = `{"token":"` + token + `","type":"prompt","message":"hi","standard":"d"}`
	for _, tc := range []struct {
		name   string
		params json.RawMessage
		want   bool
	}{
		{"dialog", request(t, address, "POST", good), true},
		{"body in parts", request(t, address, "POST", "", good[:20], good[20:]), true},
		{"wrong token", request(t, address, "POST", `{"token":"guess","type":"prompt"}`), false},
		{"no token", request(t, address, "POST", `{"type":"prompt"}`), false},
		{"beforeunload", request(t, address, "POST", `{"token":"`+token+`","type":"beforeunload"}`), false},
		{"no body", request(t, address, "POST", ""), false},
		{"another method", request(t, address, "GET", good), false},
		{"more path", request(t, address+"/x", "POST", good), false},
		{"a query", request(t, address+"?x", "POST", good), false},
		{"http", request(t, "http://hermes-dialog-bridge.invalid/dialog", "POST", good), false},
		{"a host that contains it", request(t, "https://hermes-dialog-bridge.invalid.evil.test/dialog", "POST", good), false},
		{"a URL that contains it", request(t, "https://evil.test/?"+address, "POST", good), false},
		{"a port", request(t, "https://hermes-dialog-bridge.invalid:444/dialog", "POST", good), false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			d, err := bridge{}.Recognise(t.Context(), sdk.BridgeEvent{Params: tc.params, Token: token})
			if err != nil {
				t.Fatal(err)
			}
			if (d != nil) != tc.want {
				t.Fatalf("dialog = %+v", d)
			}
			if d != nil && (d.Type != sdk.Prompt || d.Message != "hi" || d.DefaultPrompt != "d" || d.FrameID != "F") {
				t.Errorf("dialog = %+v", d)
			}
		})
	}
	if d, err := (bridge{}).Recognise(t.Context(), sdk.BridgeEvent{Params: request(t, address, "POST", `{"token":"","type":"alert"}`)}); err != nil || d != nil {
		t.Errorf("an empty token counts: %+v, %v", d, err)
	}
}

func TestAnswer(t *testing.T) {
	t.Parallel()
	typed := "a \"quoted\" \u2028 text"
	d, err := bridge{}.Recognise(t.Context(), sdk.BridgeEvent{
		Params: request(t, address, "POST", `{"token":"`+token+`","type":"prompt"}`), Token: token,
	})
	if err != nil || d == nil {
		t.Fatalf("%+v, %v", d, err)
	}
	cmds, err := bridge{}.Answer(t.Context(), sdk.BridgeAnswer{State: d.State, Accept: true, Text: &typed})
	if err != nil {
		t.Fatal(err)
	}
	if len(cmds) != 1 || cmds[0].Method != "Fetch.fulfillRequest" {
		t.Fatalf("commands: %+v", cmds)
	}
	var p struct {
		RequestID string `json:"requestId"`
		Code      int    `json:"responseCode"`
		Headers   []header
		Body      []byte `json:"body"`
	}
	if err := json.Unmarshal(cmds[0].Params, &p); err != nil {
		t.Fatal(err)
	}
	var a struct {
		Token  string `json:"token"`
		Accept bool   `json:"accept"`
		Text   string `json:"text"`
	}
	if err := json.Unmarshal(p.Body, &a); err != nil {
		t.Fatal(err)
	}
	if p.RequestID != "interception-job-1.0" || p.Code != 200 || a.Token != token || !a.Accept || a.Text != typed {
		t.Errorf("%+v %+v", p, a)
	}
	if _, err := (bridge{}).Answer(t.Context(), sdk.BridgeAnswer{State: []byte(`[`)}); err == nil {
		t.Error("a foreign state is no error")
	}
}
