package anthropic

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	api "github.com/anthropics/anthropic-sdk-go"

	"cdphost/host/subagent"
)

// defaultMaxTokens bounds a reply where the budget does not: the protocol wants
// a number, and a call with a short thought fits in well.
const defaultMaxTokens = 8192

// params writes a request in the words of the protocol. The parts that later
// requests repeat are marked to be cached.
func params(model string, req *subagent.Request) api.MessageNewParams {
	p := api.MessageNewParams{
		Model:     model,
		MaxTokens: defaultMaxTokens,
		System:    []api.TextBlockParam{{Text: req.System, CacheControl: api.NewCacheControlEphemeralParam()}},
	}
	if req.MaxTokens > 0 {
		p.MaxTokens = min(req.MaxTokens, defaultMaxTokens)
	}
	for _, t := range req.Tools {
		tool := api.ToolParam{Name: t.Name, Description: api.String(t.Description), InputSchema: schema(t.Schema)}
		p.Tools = append(p.Tools, api.ToolUnionParam{OfTool: &tool})
	}
	for i := range req.Messages {
		m := message(&req.Messages[i])
		if i == req.Settled-1 && m.Role == api.MessageParamRoleUser {
			cache(m.Content)
		}
		p.Messages = append(p.Messages, m)
	}
	return p
}

func schema(raw json.RawMessage) api.ToolInputSchemaParam {
	var fields map[string]any
	if json.Unmarshal(raw, &fields) != nil {
		return api.ToolInputSchemaParam{}
	}
	s := api.ToolInputSchemaParam{Properties: fields["properties"]}
	if list, ok := fields["required"].([]any); ok {
		for _, v := range list {
			if name, ok := v.(string); ok {
				s.Required = append(s.Required, name)
			}
		}
	}
	return s
}

func message(m *subagent.Message) api.MessageParam {
	if m.Role == subagent.Assistant {
		return assistant(m)
	}
	var blocks []api.ContentBlockParamUnion
	for i := range m.Results {
		blocks = append(blocks, toolResult(&m.Results[i]))
	}
	if m.Text != "" {
		blocks = append(blocks, api.NewTextBlock(m.Text))
	}
	if len(blocks) == 0 {
		blocks = append(blocks, api.NewTextBlock("Go on."))
	}
	return api.NewUserMessage(blocks...)
}

func toolResult(r *subagent.CallResult) api.ContentBlockParamUnion {
	t := api.ToolResultBlockParam{ToolUseID: r.CallID, IsError: api.Bool(r.IsError)}
	t.Content = append(t.Content, api.ToolResultBlockParamContentUnion{OfText: &api.TextBlockParam{Text: r.Text}})
	for _, img := range r.Images {
		t.Content = append(t.Content, api.ToolResultBlockParamContentUnion{OfImage: &api.ImageBlockParam{
			Source: api.ImageBlockParamSourceUnion{OfBase64: &api.Base64ImageSourceParam{
				Data: base64.StdEncoding.EncodeToString(img.Data), MediaType: api.Base64ImageSourceMediaType(img.MIME),
			}},
		}})
	}
	return api.ContentBlockParamUnion{OfToolResult: &t}
}

func assistant(m *subagent.Message) api.MessageParam {
	if native, ok := m.Native.(api.MessageParam); ok {
		return native
	}
	var blocks []api.ContentBlockParamUnion
	if strings.TrimSpace(m.Text) != "" {
		blocks = append(blocks, api.NewTextBlock(m.Text))
	}
	for _, c := range m.Calls {
		blocks = append(blocks, api.NewToolUseBlock(c.ID, json.RawMessage(c.Args), c.Name))
	}
	if len(blocks) == 0 {
		blocks = append(blocks, api.NewTextBlock("(nothing)")) // an empty message is refused
	}
	return api.NewAssistantMessage(blocks...)
}

// cache marks the end of what may be cached.
func cache(blocks []api.ContentBlockParamUnion) {
	mark := api.NewCacheControlEphemeralParam()
	switch last := &blocks[len(blocks)-1]; {
	case last.OfText != nil:
		last.OfText.CacheControl = mark
	case last.OfToolResult != nil:
		last.OfToolResult.CacheControl = mark
	}
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
