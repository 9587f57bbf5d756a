package debugger

import (
	"encoding/json"
	"strings"
	"testing"

	"cdphost/sdk"
)

// pause is a Debugger.paused whose function has a value as its "this".
func pause(t *testing.T, this any) json.RawMessage {
	t.Helper()
	data, err := json.Marshal(map[string]any{"callFrames": []any{map[string]any{
		"callFrameId": "1.2.3", "functionName": functionName, "this": this,
	}}})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func text(s string) any { return map[string]any{"type": "string", "value": s} }

func TestRecognise(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		params json.RawMessage
		want   *sdk.BridgedDialog
	}{
		{"alert", pause(t, text(`{"type":"alert","message":"hi"}`)), &sdk.BridgedDialog{Type: sdk.Alert, Message: "hi"}},
		{"confirm", pause(t, text(`{"type":"confirm","message":"x\ud800y"}`)), &sdk.BridgedDialog{Type: sdk.Confirm, Message: "x\ufffdy"}},
		{"prompt", pause(t, text(`{"type":"prompt","message":"hi","standard":"d"}`)), &sdk.BridgedDialog{Type: sdk.Prompt, Message: "hi", DefaultPrompt: "d"}},
		{"beforeunload stays native", pause(t, text(`{"type":"beforeunload"}`)), nil},
		{"another type", pause(t, text(`{"type":"print"}`)), nil},
		{"no JSON", pause(t, text(`hi`)), nil},
		{"this is no string", pause(t, map[string]any{"type": "object", "objectId": "1"}), nil},
		{"no frames", json.RawMessage(`{"callFrames":[]}`), nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got, err := bridge{}.Recognise(t.Context(), sdk.BridgeEvent{Method: "Debugger.paused", Params: tc.params})
			if err != nil {
				t.Fatal(err)
			}
			if tc.want == nil || got == nil {
				if tc.want != nil || got != nil {
					t.Fatalf("got %+v, want %+v", got, tc.want)
				}
				return
			}
			if got.Type != tc.want.Type || got.Message != tc.want.Message || got.DefaultPrompt != tc.want.DefaultPrompt || string(got.State) != `"1.2.3"` {
				t.Errorf("got %+v, want %+v", got, tc.want)
			}
		})
	}
	if _, err := (bridge{}).Recognise(t.Context(), sdk.BridgeEvent{Params: json.RawMessage(`[`)}); err == nil {
		t.Error("a broken event is no error")
	}
}

func TestAnswer(t *testing.T) {
	t.Parallel()
	typed := "a \"quoted\" \u2028 </script>"
	for _, tc := range []struct {
		name   string
		accept bool
		text   *string
	}{{"accept", true, nil}, {"dismiss", false, nil}, {"text", true, &typed}} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			cmds, err := bridge{}.Answer(t.Context(), sdk.BridgeAnswer{State: []byte(`"1.2.3"`), Accept: tc.accept, Text: tc.text})
			if err != nil {
				t.Fatal(err)
			}
			if len(cmds) != 2 || cmds[0].Method != "Debugger.evaluateOnCallFrame" || cmds[1].Method != "Debugger.resume" {
				t.Fatalf("commands: %+v", cmds)
			}
			var p struct {
				CallFrameID string `json:"callFrameId"`
				Expression  string `json:"expression"`
			}
			if err := json.Unmarshal(cmds[0].Params, &p); err != nil {
				t.Fatal(err)
			}
			value, ok := strings.CutPrefix(p.Expression, "box.answer=")
			if p.CallFrameID != "1.2.3" || !ok || strings.ContainsRune(value, '\u2028') {
				t.Errorf("params: %+v", p)
			}
			var v struct {
				Accept bool   `json:"accept"`
				Text   string `json:"text"`
			}
			if err := json.Unmarshal([]byte(value), &v); err != nil {
				t.Fatal(err)
			}
			if v.Accept != tc.accept || tc.text != nil && v.Text != *tc.text {
				t.Errorf("the page gets %+v", v)
			}
		})
	}
	if _, err := (bridge{}).Answer(t.Context(), sdk.BridgeAnswer{State: []byte(`{`)}); err == nil {
		t.Error("a foreign state is no error")
	}
}

// TestSetup: whatever holds a page can be released, and the token is in all that a
// page must not guess.
func TestSetup(t *testing.T) {
	t.Parallel()
	s := bridge{}.Setup()
	if !strings.HasSuffix(strings.TrimSpace(s.InitScripts[0].Source), "sourceURL="+scriptURL) {
		t.Error("the script that pauses has another name than its claim")
	}
	if !strings.Contains(s.InitScripts[0].Source, "function "+functionName+"(") {
		t.Error("the function that pauses has another name than its claim")
	}
	for _, c := range s.Claims {
		if !strings.Contains(c.ScriptURL, "{{token}}") || len(c.Release) != 2 {
			t.Errorf("claim = %+v", c)
		}
		for _, r := range c.Release {
			if len(r.Params) > 0 && !json.Valid(r.Params) {
				t.Errorf("release: %s", r.Params)
			}
		}
	}
}
