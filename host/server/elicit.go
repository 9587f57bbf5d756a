package server

import (
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cdphost/host/tool"
)

const (
	choiceAccept  = "accept"
	choiceDismiss = "dismiss"
)

// elicitation is the form that asks a user about a dialog.
func elicitation(q tool.Question) *mcp.ElicitParams {
	form := &jsonschema.Schema{
		Type: "object",
		Properties: map[string]*jsonschema.Schema{
			"answer": {Type: "string", Title: "Answer", Enum: []any{choiceAccept, choiceDismiss}},
		},
		Required: []string{"answer"},
	}
	if q.Type == "prompt" {
		form.Properties["text"] = &jsonschema.Schema{
			Type: "string", Title: "Text", Description: "Left out: the page's default text.",
		}
	}
	return &mcp.ElicitParams{
		Message:         fmt.Sprintf("The page %s asks (%s): %s", q.URL, q.Type, q.Message),
		RequestedSchema: form,
	}
}
