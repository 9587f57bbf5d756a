package modeltest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

func readAnthropic(hr *http.Request, body []byte) (*Request, error) {
	var in struct {
		Model    string          `json:"model"`
		Stream   bool            `json:"stream"`
		Max      int64           `json:"max_tokens"`
		System   json.RawMessage `json:"system"`
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
		Tools []struct {
			Name   string          `json:"name"`
			Schema json.RawMessage `json:"input_schema"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, err
	}
	switch {
	case !in.Stream:
		return nil, errors.New("not streamed")
	case in.Max <= 0:
		return nil, errors.New("max_tokens is missing")
	case hr.Header.Get("anthropic-version") == "":
		return nil, errors.New("anthropic-version is missing")
	}
	req := &Request{
		Protocol: Anthropic, Model: in.Model, Key: hr.Header.Get("X-Api-Key"), MaxTokens: in.Max,
		System: parts(in.System)[0].Text, Schemas: map[string]json.RawMessage{},
	}
	var open []Call // calls that wait for their result
	for i, m := range in.Messages {
		list := parts(m.Content)
		if want := []string{"user", "assistant"}[i%2]; m.Role != want || len(list) == 0 {
			return nil, fmt.Errorf("message %d is %s's and has %d parts; want %s's", i, m.Role, len(list), want)
		}
		for k, c := range open {
			if k >= len(list) || list[k].Type != "tool_result" || list[k].ToolUseID != c.ID {
				return nil, fmt.Errorf("the call %s has no result right after it", c.ID)
			}
		}
		msg := Message{Role: m.Role}
		msg.take(list)
		open = msg.Calls
		req.Messages = append(req.Messages, msg)
	}
	for _, t := range in.Tools {
		req.Tools = append(req.Tools, t.Name)
		req.Schemas[t.Name] = t.Schema
	}
	return req, checkSchemas(req.Schemas)
}

// anthropic writes turns in the protocol of Anthropic.
type anthropic struct{}

func (anthropic) refuse(w http.ResponseWriter, t Turn) {
	w.WriteHeader(t.Status)
	_, _ = io.WriteString(w, encode(map[string]any{"type": "error", "error": map[string]any{"type": t.Code, "message": t.Message}}))
}

func (anthropic) broken(t Turn) string {
	return event("error", map[string]any{"error": map[string]any{"type": t.Code, "message": t.Message}})
}

func event(name string, fields map[string]any) string {
	fields["type"] = name
	return "event: " + name + "\ndata: " + encode(fields) + "\n\n"
}

func (anthropic) events(t Turn) []string {
	out := []string{
		event("message_start", map[string]any{"message": map[string]any{
			"id": "m1", "type": "message", "role": "assistant", "model": "scripted", "content": []any{},
			"stop_reason": nil, "stop_sequence": nil, "usage": map[string]any{"input_tokens": t.In, "output_tokens": 0},
		}}),
		event("ping", map[string]any{}),
	}
	index := 0
	block := func(start map[string]any, kind, field string, body []string) {
		out = append(out, event("content_block_start", map[string]any{"index": index, "content_block": start}))
		for _, p := range body {
			out = append(out, event("content_block_delta", map[string]any{"index": index, "delta": map[string]any{"type": kind, field: p}}))
		}
		out = append(out, event("content_block_stop", map[string]any{"index": index}))
		index++
	}
	if t.Text != "" {
		block(map[string]any{"type": "text", "text": ""}, "text_delta", "text", pieces(t.Text))
	}
	for i, c := range t.Calls {
		id := c.ID
		if id == "" {
			id = fmt.Sprintf("toolu_%d", i)
		}
		block(map[string]any{"type": "tool_use", "id": id, "name": c.Name, "input": map[string]any{}}, "input_json_delta", "partial_json", pieces(c.Args))
	}
	stop := map[string]string{"length": "max_tokens", "refused": "refusal"}[t.Stop]
	if stop == "" {
		stop = "end_turn"
		if len(t.Calls) > 0 {
			stop = "tool_use"
		}
	}
	return append(out,
		event("message_delta", map[string]any{
			"delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}, "usage": map[string]any{"output_tokens": t.Out},
		}),
		event("message_stop", map[string]any{}))
}
