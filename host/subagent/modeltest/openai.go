package modeltest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

func readOpenAI(hr *http.Request, body []byte) (*Request, error) {
	var in struct {
		Model    string `json:"model"`
		Stream   bool   `json:"stream"`
		Max      int64  `json:"max_completion_tokens"`
		Messages []struct {
			Role       string          `json:"role"`
			Content    json.RawMessage `json:"content"`
			ToolCallID string          `json:"tool_call_id"`
			ToolCalls  []struct {
				ID       string `json:"id"`
				Type     string `json:"type"`
				Function struct{ Name, Arguments string }
			} `json:"tool_calls"`
		} `json:"messages"`
		Tools []struct {
			Type     string `json:"type"`
			Function struct {
				Name       string          `json:"name"`
				Parameters json.RawMessage `json:"parameters"`
			} `json:"function"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, err
	}
	if !in.Stream {
		return nil, errors.New("not streamed")
	}
	key, _ := strings.CutPrefix(hr.Header.Get("Authorization"), "Bearer ")
	req := &Request{Protocol: OpenAI, Model: in.Model, Key: key, MaxTokens: in.Max, Schemas: map[string]json.RawMessage{}}
	open := map[string]bool{} // calls that wait for their result
	for _, m := range in.Messages {
		if m.Role == "system" {
			req.System = parts(m.Content)[0].Text
			continue
		}
		if m.Role != "tool" && len(open) > 0 {
			return nil, fmt.Errorf("calls without a result before a message of %s: %v", m.Role, open)
		}
		msg := Message{Role: m.Role}
		if m.Role == "tool" {
			if !open[m.ToolCallID] {
				return nil, fmt.Errorf("a result for no call: %q", m.ToolCallID)
			}
			delete(open, m.ToolCallID)
			msg.say("[result " + m.ToolCallID + "]")
		}
		msg.take(parts(m.Content))
		for _, c := range m.ToolCalls {
			if !json.Valid([]byte(c.Function.Arguments)) || c.ID == "" || c.Function.Name == "" {
				return nil, fmt.Errorf("a call that no service takes: %+v", c)
			}
			open[c.ID] = true
			msg.Calls = append(msg.Calls, Call{ID: c.ID, Name: c.Function.Name, Args: c.Function.Arguments})
		}
		req.Messages = append(req.Messages, msg)
	}
	for _, t := range in.Tools {
		req.Tools = append(req.Tools, t.Function.Name)
		req.Schemas[t.Function.Name] = t.Function.Parameters
	}
	return req, checkSchemas(req.Schemas)
}

// checkSchemas refuses what the services refuse.
func checkSchemas(schemas map[string]json.RawMessage) error {
	for name, raw := range schemas {
		var top map[string]json.RawMessage
		if err := json.Unmarshal(raw, &top); err != nil {
			return err
		}
		for _, word := range []string{"oneOf", "anyOf", "allOf", "enum", "not"} {
			if top[word] != nil {
				return fmt.Errorf("the schema of %s has %s at its top", name, word)
			}
		}
		if string(top["type"]) != `"object"` {
			return fmt.Errorf("the schema of %s is no object", name)
		}
	}
	return nil
}

// openAI writes turns in the protocol of OpenAI.
type openAI struct{}

func (openAI) refuse(w http.ResponseWriter, t Turn) {
	w.WriteHeader(t.Status)
	_, _ = io.WriteString(w, encode(map[string]any{"error": map[string]any{"message": t.Message, "type": "error", "code": t.Code}}))
}

func (openAI) broken(t Turn) string {
	return "data: " + encode(map[string]any{"error": map[string]any{"message": t.Message, "code": t.Code}}) + "\n\n"
}

func (openAI) events(t Turn) []string {
	var out []string
	chunk := func(delta map[string]any, finish any) {
		out = append(out, "data: "+encode(map[string]any{
			"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "scripted",
			"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}},
		})+"\n\n")
	}
	chunk(map[string]any{"role": "assistant", "content": ""}, nil)
	if t.Text != "" {
		for _, p := range pieces(t.Text) {
			chunk(map[string]any{"content": p}, nil)
		}
	}
	for i, c := range t.Calls {
		id := c.ID
		if id == "" {
			id = fmt.Sprintf("call_%d", i)
		}
		chunk(map[string]any{"tool_calls": []any{map[string]any{
			"index": i, "id": id, "type": "function", "function": map[string]any{"name": c.Name, "arguments": ""},
		}}}, nil)
		for _, p := range pieces(c.Args) {
			chunk(map[string]any{"tool_calls": []any{map[string]any{"index": i, "function": map[string]any{"arguments": p}}}}, nil)
		}
	}
	finish := map[string]string{"length": "length", "refused": "content_filter"}[t.Stop]
	if finish == "" {
		finish = "stop"
		if len(t.Calls) > 0 {
			finish = "tool_calls"
		}
	}
	chunk(map[string]any{}, finish)
	if t.In+t.Out > 0 {
		out = append(out, "data: "+encode(map[string]any{
			"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "scripted", "choices": []any{},
			"usage": map[string]any{"prompt_tokens": t.In, "completion_tokens": t.Out, "total_tokens": t.In + t.Out},
		})+"\n\n")
	}
	return append(out, "data: [DONE]\n\n")
}
