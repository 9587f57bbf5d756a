package openai

import (
	"encoding/json"
	"testing"

	api "github.com/openai/openai-go/v3"

	"github.com/google/go-cmp/cmp"

	"cdphost/host/subagent"
)

// What services make of the protocol.
func TestAssembly(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		chunks []string
		want   *subagent.Reply
	}{
		{"whole calls without an index, as some send them", []string{
			`{"choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"browser","arguments":"{}"}},{"id":"b","function":{"name":"complete","arguments":"{}"}}]}}]}`,
			`{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}`,
		}, &subagent.Reply{Stop: subagent.StopEnd, Message: subagent.Message{Role: subagent.Assistant, Calls: []subagent.Call{
			{ID: "a", Name: "browser", Args: "{}"}, {ID: "b", Name: "complete", Args: "{}"},
		}}}},
		{"calls without ids", []string{
			`{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"browser","arguments":"{\"a\""}}]}}]}`,
			`{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]},"finish_reason":"stop"}]}`,
		}, &subagent.Reply{Stop: subagent.StopEnd, Message: subagent.Message{Role: subagent.Assistant, Calls: []subagent.Call{
			{Name: "browser", Args: `{"a":1}`},
		}}}},
		{"the id again in each piece", []string{
			`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"browser","arguments":"{"}}]}}]}`,
			`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"arguments":"}"}}]},"finish_reason":"stop"}]}`,
		}, &subagent.Reply{Stop: subagent.StopEnd, Message: subagent.Message{Role: subagent.Assistant, Calls: []subagent.Call{
			{ID: "a", Name: "browser", Args: "{}"},
		}}}},
		{"usage with the last chunk, other choices", []string{
			`{"choices":[{"index":1,"delta":{"content":"no"}},{"index":0,"delta":{"content":"yes"}}]}`,
			`{"choices":[{"delta":{},"finish_reason":"length"}],"usage":{"prompt_tokens":5,"completion_tokens":2,"total_tokens":7}}`,
		}, &subagent.Reply{
			Stop: subagent.StopLength, Usage: subagent.Usage{In: 5, Out: 2},
			Message: subagent.Message{Role: subagent.Assistant, Text: "yes"},
		}},
		{"a refusal", []string{
			`{"choices":[{"delta":{"refusal":"No."},"finish_reason":"stop"}]}`,
		}, &subagent.Reply{Stop: subagent.StopRefused, Message: subagent.Message{Role: subagent.Assistant, Text: "No."}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var a assembly
			for _, raw := range tc.chunks {
				var c api.ChatCompletionChunk
				if err := json.Unmarshal([]byte(raw), &c); err != nil {
					t.Fatal(err)
				}
				a.add(c)
			}
			if !a.finished {
				t.Error("it is not finished")
			}
			if diff := cmp.Diff(tc.want, a.reply()); diff != "" {
				t.Error(diff)
			}
		})
	}
}
