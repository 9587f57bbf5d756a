package openai

import (
	"encoding/base64"
	"encoding/json"

	api "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/shared"

	"cdphost/host/subagent"
)

// params writes a request in the words of the protocol.
func params(model string, req *subagent.Request) api.ChatCompletionNewParams {
	p := api.ChatCompletionNewParams{
		Model:         model,
		Messages:      []api.ChatCompletionMessageParamUnion{api.SystemMessage(req.System)},
		StreamOptions: api.ChatCompletionStreamOptionsParam{IncludeUsage: api.Bool(true)},
	}
	if req.MaxTokens > 0 {
		p.MaxCompletionTokens = api.Int(req.MaxTokens)
	}
	for _, t := range req.Tools {
		p.Tools = append(p.Tools, api.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{
			Name: t.Name, Description: api.String(t.Description), Parameters: schema(t.Schema),
		}))
	}
	for i := range req.Messages {
		p.Messages = append(p.Messages, messages(&req.Messages[i])...)
	}
	return p
}

func schema(raw json.RawMessage) shared.FunctionParameters {
	var s shared.FunctionParameters
	if json.Unmarshal(raw, &s) != nil {
		return shared.FunctionParameters{"type": "object"}
	}
	return s
}

// messages writes one message: results are messages of their own here, and
// pictures can only stand in a user's message.
func messages(m *subagent.Message) []api.ChatCompletionMessageParamUnion {
	if m.Role == subagent.Assistant {
		return []api.ChatCompletionMessageParamUnion{assistant(m)}
	}
	var out []api.ChatCompletionMessageParamUnion
	var parts []api.ChatCompletionContentPartUnionParam
	for _, r := range m.Results {
		out = append(out, api.ToolMessage(r.Text, r.CallID))
		for _, img := range r.Images {
			parts = append(parts, api.ImageContentPart(api.ChatCompletionContentPartImageImageURLParam{
				URL: "data:" + img.MIME + ";base64," + base64.StdEncoding.EncodeToString(img.Data),
			}))
		}
	}
	switch {
	case len(parts) > 0:
		text := m.Text
		if text == "" {
			text = "The picture."
		}
		out = append(out, api.UserMessage(append(parts, api.TextContentPart(text))))
	case m.Text != "":
		out = append(out, api.UserMessage(m.Text))
	}
	return out
}

func assistant(m *subagent.Message) api.ChatCompletionMessageParamUnion {
	var a api.ChatCompletionAssistantMessageParam
	if m.Text != "" || len(m.Calls) == 0 {
		a.Content.OfString = api.String(m.Text)
	}
	for _, c := range m.Calls {
		a.ToolCalls = append(a.ToolCalls, api.ChatCompletionMessageToolCallUnionParam{
			OfFunction: &api.ChatCompletionMessageFunctionToolCallParam{
				ID:       c.ID,
				Function: api.ChatCompletionMessageFunctionToolCallFunctionParam{Name: c.Name, Arguments: c.Args},
			},
		})
	}
	return api.ChatCompletionMessageParamUnion{OfAssistant: &a}
}

func hasPictures(req *subagent.Request) bool {
	for _, m := range req.Messages {
		for _, r := range m.Results {
			if len(r.Images) > 0 {
				return true
			}
		}
	}
	return false
}
