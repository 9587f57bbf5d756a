package anthropic

import (
	"slices"
	"strings"

	api "github.com/anthropics/anthropic-sdk-go"

	"cdphost/host/subagent"
)

// assembly puts the events of a stream together. The SDK's own message is kept
// to be sent back, with what only it knows (thinking and its signature); the
// arguments of calls are gathered here, because it drops those that are no JSON.
type assembly struct {
	begun, finished bool
	message         api.Message
	args            map[int64]*strings.Builder
}

func (a *assembly) add(e api.MessageStreamEventUnion) error {
	a.begun = true
	if e.Type == "message_stop" {
		a.finished = true
	}
	if e.Type == "content_block_delta" && e.Delta.Type == "input_json_delta" {
		if a.args == nil {
			a.args = make(map[int64]*strings.Builder)
		}
		b := a.args[e.Index]
		if b == nil {
			b = new(strings.Builder)
			a.args[e.Index] = b
		}
		b.WriteString(e.Delta.PartialJSON)
	}
	return a.message.Accumulate(e)
}

// sayable takes out texts without a word, which the service itself may write but
// does not take back.
func sayable(m api.MessageParam) api.MessageParam {
	m.Content = slices.DeleteFunc(m.Content, func(b api.ContentBlockParamUnion) bool {
		return b.OfText != nil && strings.TrimSpace(b.OfText.Text) == ""
	})
	return m
}

func (a *assembly) reply() *subagent.Reply {
	u := a.message.Usage
	r := &subagent.Reply{
		Message: subagent.Message{Role: subagent.Assistant},
		Usage:   subagent.Usage{In: u.InputTokens + u.CacheCreationInputTokens + u.CacheReadInputTokens, Out: u.OutputTokens},
		Stop:    subagent.StopEnd,
	}
	var text strings.Builder
	for i, block := range a.message.Content {
		switch block.Type {
		case "text":
			text.WriteString(block.Text)
		case "tool_use":
			args := string(block.Input)
			if b := a.args[int64(i)]; b != nil {
				args = b.String()
			}
			r.Message.Calls = append(r.Message.Calls, subagent.Call{ID: block.ID, Name: block.Name, Args: args})
		}
	}
	r.Message.Text = text.String()
	if native := sayable(a.message.ToParam()); len(native.Content) > 0 {
		r.Message.Native = native
	}
	switch a.message.StopReason {
	case api.StopReasonMaxTokens, "model_context_window_exceeded":
		r.Stop = subagent.StopLength
	case api.StopReasonRefusal:
		r.Stop = subagent.StopRefused
	}
	return r
}
