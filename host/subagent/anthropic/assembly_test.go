package anthropic

import (
	"encoding/json"
	"strings"
	"testing"

	api "github.com/anthropics/anthropic-sdk-go"

	"cdphost/host/subagent"
)

// Thinking goes back as it came, with its signature; texts without a word don't.
func TestThinkingGoesBack(t *testing.T) {
	t.Parallel()
	var a assembly
	for _, raw := range []string{
		`{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"usage":{"input_tokens":5,"cache_read_input_tokens":100,"output_tokens":0}}}`,
		`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm."}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}}`,
		`{"type":"content_block_stop","index":0}`,
		`{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}`,
		`{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"\n"}}`,
		`{"type":"content_block_stop","index":1}`,
		`{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"a","name":"browser","input":{}}}`,
		`{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"type\":"}}`,
		`{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"\"get_tabs\"}"}}`,
		`{"type":"content_block_stop","index":2}`,
		`{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":7}}`,
		`{"type":"message_stop"}`,
	} {
		var e api.MessageStreamEventUnion
		if err := json.Unmarshal([]byte(raw), &e); err != nil {
			t.Fatal(err)
		}
		if err := a.add(e); err != nil {
			t.Fatal(err)
		}
	}
	r := a.reply()
	if r.Usage != (subagent.Usage{In: 105, Out: 7}) || len(r.Message.Calls) != 1 || r.Message.Calls[0].Args != `{"type":"get_tabs"}` {
		t.Errorf("reply = %+v", r)
	}
	back, err := json.Marshal(assistant(&r.Message))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"thinking":"Hm."`, `"signature":"c2ln"`, `"input":{"type":"get_tabs"}`} {
		if !strings.Contains(string(back), want) {
			t.Errorf("%s lacks %s", back, want)
		}
	}
	if strings.Contains(string(back), `\n`) {
		t.Errorf("an empty text goes back: %s", back)
	}
}
