package sdk

import (
	"context"
	"encoding/json"
)

// ToolProvider adds tools to toolsets.
type ToolProvider interface {
	// Tools is read once, when the plugin is configured.
	Tools() []Tool
	// CallTool runs one. Its context ends when the agent cancels. An error becomes
	// a tool error whose code and text the agent sees.
	CallTool(ctx context.Context, call ToolCall) (ToolResult, error)
}

// Tool is what an agent sees of a tool.
type Tool struct {
	Name        string
	Title       string
	Description string
	// InputSchema is the JSON Schema of the arguments, an object.
	InputSchema json.RawMessage
	// OutputSchema is the JSON Schema of ToolResult.Structured; nil when there is
	// none.
	OutputSchema json.RawMessage
	ReadOnly     bool
	Destructive  bool
	Idempotent   bool
	OpenWorld    bool
}

// ToolCall is one call of a tool.
type ToolCall struct {
	Task Task
	Name string
	// Arguments is a JSON object that fits the InputSchema.
	Arguments json.RawMessage
	// Progress tells the agent how far the call is; total 0 means not known.
	Progress func(done, total float64, message string)
}

// ToolResult is what a tool returns.
type ToolResult struct {
	Text string
	// Structured is marshalled to JSON; nil when there is none.
	Structured any
	IsError    bool
	Images     []Image
}

// Image is an image of a ToolResult.
type Image struct {
	MIMEType string
	Data     []byte
}
