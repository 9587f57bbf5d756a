package server

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cdphost/host/tool"
)

// Prompt is an MCP prompt, which chat clients show as a slash command.
type Prompt struct {
	Name, Title, Description string
	Arguments                []PromptArgument
	// Render carries the command out for the caller and returns the text that
	// is put into the chat.
	Render func(ctx context.Context, call *tool.Call, args map[string]string) (string, error)
}

// PromptArgument is one argument of a Prompt.
type PromptArgument struct {
	Name, Description string
	Required          bool
}

func (e *endpoint) addPrompts() {
	for _, p := range e.srv.opts.Prompts {
		def := &mcp.Prompt{Name: p.Name, Title: p.Title, Description: p.Description}
		for _, a := range p.Arguments {
			def.Arguments = append(def.Arguments, &mcp.PromptArgument{
				Name: a.Name, Description: a.Description, Required: a.Required,
			})
		}
		e.mcp.AddPrompt(def, func(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			call := &tool.Call{Caller: e.caller, Toolset: e.set.Load()}
			if req.Extra != nil && req.Extra.Header != nil {
				call.Session = req.Session.ID()
				call.Stateless = call.Session == ""
			}
			text, err := p.Render(ctx, call, req.Params.Arguments)
			if err != nil {
				return nil, err
			}
			return &mcp.GetPromptResult{
				Description: p.Description,
				Messages:    []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}},
			}, nil
		})
	}
}
