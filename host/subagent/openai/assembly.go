package openai

import (
	"strings"

	api "github.com/openai/openai-go/v3"

	"cdphost/host/subagent"
)

// assembly puts the chunks of a stream together. It takes what services make of
// the protocol: calls without ids, calls that all have index 0, usage in a chunk
// of its own or with the last one.
type assembly struct {
	begun, finished bool
	text            strings.Builder
	refused         bool
	stop            string
	calls           []*subagent.Call
	at              map[int64]*subagent.Call // the open call at an index
	usage           subagent.Usage
}

func (a *assembly) add(c api.ChatCompletionChunk) {
	if c.Usage.TotalTokens > 0 || c.Usage.PromptTokens > 0 {
		a.usage = subagent.Usage{In: c.Usage.PromptTokens, Out: c.Usage.CompletionTokens}
	}
	for i := range c.Choices {
		choice := &c.Choices[i]
		if choice.Index != 0 {
			continue
		}
		a.begun = true
		a.text.WriteString(choice.Delta.Content)
		if choice.Delta.Refusal != "" {
			a.refused = true
			a.text.WriteString(choice.Delta.Refusal)
		}
		for _, d := range choice.Delta.ToolCalls {
			a.call(d)
		}
		if choice.FinishReason != "" {
			a.finished, a.stop = true, choice.FinishReason
		}
	}
}

func (a *assembly) call(d api.ChatCompletionChunkChoiceDeltaToolCall) {
	c := a.at[d.Index]
	another := c != nil && d.Function.Name != "" && (d.ID != c.ID || d.ID == "") && c.Name != ""
	if c == nil || another {
		c = &subagent.Call{ID: d.ID}
		if a.at == nil {
			a.at = make(map[int64]*subagent.Call)
		}
		a.at[d.Index] = c
		a.calls = append(a.calls, c)
	}
	if c.ID == "" {
		c.ID = d.ID
	}
	c.Name += d.Function.Name
	c.Args += d.Function.Arguments
}

func (a *assembly) reply() *subagent.Reply {
	r := &subagent.Reply{
		Message: subagent.Message{Role: subagent.Assistant, Text: a.text.String()},
		Usage:   a.usage,
		Stop:    subagent.StopEnd,
	}
	for _, c := range a.calls {
		r.Message.Calls = append(r.Message.Calls, *c)
	}
	switch {
	case a.stop == "length":
		r.Stop = subagent.StopLength
	case a.refused || a.stop == "content_filter":
		r.Stop = subagent.StopRefused
	}
	return r
}
