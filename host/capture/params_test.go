package capture_test

import (
	"encoding/json"
	"strings"
	"testing"

	"cdphost/host/capture"
	"cdphost/sdk/fault"
)

func TestParamsThatCouldMeanTwoThingsAreRefused(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	handle := h.capture(t, trusted)
	own := h.page.TargetID
	for name, params := range map[string]string{
		"a name twice":              `{"targetId":"` + own + `","targetId":"FOREIGN"}`,
		"the other way round":       `{"targetId":"FOREIGN","targetId":"` + own + `"}`,
		"one of them escaped":       `{"targetId":"` + own + `","target\u0049d":"FOREIGN"}`,
		"twice in a nested object":  `{"targetId":"` + own + `","x":[{"a":1,"a":2}]}`,
		"an id that is no string":   `{"targetId":["` + own + `"]}`,
		"an id that is null":        `{"targetId":null}`,
		"an empty id":               `{"targetId":""}`,
		"an array":                  `["` + own + `"]`,
		"a string":                  `"` + own + `"`,
		"two values":                `{"targetId":"` + own + `"}{}`,
		"an early end":              `{"targetId":"` + own + `"},"sessionId":"X","x":{}`,
		"a comment":                 `{/**/"targetId":"` + own + `"}`,
		"a trailing comma":          `{"targetId":"` + own + `",}`,
		"no UTF-8":                  "{\"targetId\":\"" + own + "\",\"x\":\"\xff\"}",
		"half a surrogate":          `{"targetId":"` + own + `","x":"\ud800"}`,
		"deeper than Chrome parses": `{"targetId":"` + own + `","x":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `}`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := handle.Call(bound(t), "Target.activateTarget", json.RawMessage(params))
			wantCode(t, err, fault.InvalidArgument)
		})
	}
	h.settled(t)
	if n := len(h.mock.Sent("Target.activateTarget")); n != 0 {
		t.Errorf("%d arrived", n)
	}
}

func TestParamsAreSentAsTheyWereChecked(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	handle := h.capture(t, trusted)
	page := capture.OnSession(h.page.SessionID)
	for _, params := range []any{
		json.RawMessage(`{"text":"{\"a\":1,\"a\":2} [[[","n":1e400,"escaped":"\u0041"}`), M{"text": "x"}, nil, json.RawMessage(nil), json.RawMessage("null"), json.RawMessage("  "),
	} {
		mustCall(t, handle, "Input.insertText", params, page)
	}
	sent := h.mock.Sent("Input.insertText")
	want := []string{`{"text":"{\"a\":1,\"a\":2} [[[","n":1e400,"escaped":"\u0041"}`, `{"text":"x"}`, "", "", "", ""}
	for i, w := range want {
		if string(sent[i].Params) != w {
			t.Errorf("sent %s, want %s", sent[i].Params, w)
		}
	}
	_, err := handle.Call(bound(t), "Input.insertText", make(chan int), page)
	wantCode(t, err, fault.InvalidArgument)
	for _, method := range []string{"", "Page", ".", "Page.", ".enable", `Page.enable","sessionId":"X`, "Page.en able", "Page.enable\n", "1Page.enable", "Pagé.enable"} {
		_, err := handle.Call(bound(t), method, nil, page)
		wantCode(t, err, fault.InvalidArgument)
	}
}
