package subagent

import (
	"context"
	"encoding/json"
)

// Model is a language model behind some protocol. It keeps no conversation: each
// request carries all of it. It is safe for concurrent use.
type Model interface {
	// Next returns the model's next message, whole: nothing of a reply that was
	// cut is returned. Errors are *ModelError, or ctx's when that has ended. It
	// tries once; trying again is the caller's.
	Next(ctx context.Context, req *Request) (*Reply, error)
	// Name says which model this is, for logs and messages.
	Name() string
}

// Request is a conversation that waits for the model's next message.
type Request struct {
	System   string
	Messages []Message
	Tools    []Tool
	// MaxTokens bounds the reply; 0 leaves it to the provider.
	MaxTokens int64
	// Settled counts the leading messages that later requests will repeat
	// unchanged: what comes before it is worth caching.
	Settled int
}

// Role says whose message it is.
type Role string

// Roles.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Message is one message of the conversation.
type Message struct {
	Role Role
	// Results answer the calls of the message before, all of them; they come
	// before Text.
	Results []CallResult
	Text    string
	// Calls are the tools that the model wants called, in order.
	Calls []Call
	// Native is the message as the provider gave it, kept by the Model that made
	// it and sent back in place of the rest. nil when there is none.
	Native any
}

// Call is a tool call by the model.
type Call struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Args is what the model wrote: JSON or not.
	Args string `json:"arguments"`
}

// CallResult is the answer to a Call.
type CallResult struct {
	CallID  string
	Text    string
	Images  []Image
	IsError bool
}

// Image is a picture.
type Image struct {
	MIME string
	Data []byte
}

// Tool is what the model is told of a tool. Schema is an object schema without
// oneOf, anyOf or allOf at its top, which providers refuse.
type Tool struct {
	Name        string
	Description string
	Schema      json.RawMessage
}

// Reply is what the model answered.
type Reply struct {
	Message Message
	Usage   Usage
	Stop    Stop
}

// Usage counts tokens. Estimated is true when the provider did not count.
type Usage struct {
	In        int64 `json:"in"`
	Out       int64 `json:"out"`
	Estimated bool  `json:"estimated,omitempty"`
}

// Total is all tokens, in and out.
func (u Usage) Total() int64 { return u.In + u.Out }

func (u Usage) plus(o Usage) Usage {
	return Usage{In: u.In + o.In, Out: u.Out + o.Out, Estimated: u.Estimated || o.Estimated}
}

// Stop says why the model stopped.
type Stop string

// Reasons to stop.
const (
	StopEnd     Stop = "end"
	StopLength  Stop = "length"
	StopRefused Stop = "refused"
)
