// Package openai speaks the chat completions protocol of OpenAI, which vLLM,
// Ollama, OpenRouter and most others speak too.
//
// Nothing but its Options decides where a request goes and with which key: the
// environment is not read. Replies are streamed and returned when whole.
package openai

import (
	"context"
	"net/http"
	"strings"
	"time"

	api "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"cdphost/host/subagent"
	"cdphost/host/subagent/internal/modelhttp"
)

// DefaultBaseURL is the service of OpenAI itself.
const DefaultBaseURL = "https://api.openai.com/v1"

// Options say which model. Model must be set.
type Options struct {
	// BaseURL is the address up to "/chat/completions", mostly ending in /v1; ""
	// is DefaultBaseURL.
	BaseURL string
	Model   string
	// APIKey is sent as a bearer token; "" sends none, as local services want it.
	APIKey string
	// Transport is nil for http.DefaultTransport.
	Transport http.RoundTripper
	// StallTime is how long the service may be silent; 0 is four minutes.
	StallTime time.Duration
}

// Model is a model behind the protocol. It is safe for concurrent use.
type Model struct {
	completions api.ChatCompletionService
	service     modelhttp.Service
	stall       time.Duration
}

// New makes a Model. It sends nothing.
func New(o Options) *Model {
	if o.BaseURL == "" {
		o.BaseURL = DefaultBaseURL
	}
	if o.StallTime == 0 {
		o.StallTime = modelhttp.StallTime
	}
	options := []option.RequestOption{
		option.WithBaseURL(strings.TrimSuffix(o.BaseURL, "/") + "/"),
		option.WithHTTPClient(modelhttp.Client(o.Transport)),
		option.WithMaxRetries(0),
	}
	if o.APIKey != "" {
		options = append(options, option.WithAPIKey(o.APIKey))
	}
	return &Model{
		completions: api.NewChatCompletionService(options...),
		service:     modelhttp.Service{Provider: "openai", Model: o.Model, BaseURL: o.BaseURL, Key: o.APIKey},
		stall:       o.StallTime,
	}
}

// Name implements subagent.Model.
func (m *Model) Name() string { return m.service.Model }

// Next implements subagent.Model with a streamed POST to /chat/completions.
func (m *Model) Next(ctx context.Context, req *subagent.Request) (*subagent.Reply, error) {
	watched, alive, stop := modelhttp.Watch(ctx, m.stall)
	defer stop()
	stream := m.completions.NewStreaming(watched, params(m.service.Model, req))
	defer func() { _ = stream.Close() }() // what it read is whole, or was told to be cut
	var r assembly
	for stream.Next() {
		alive()
		r.add(stream.Current())
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err := stream.Err(); err != nil {
		return nil, m.explain(err, context.Cause(watched), r.begun, hasPictures(req))
	}
	if !r.finished {
		if !r.begun {
			return nil, m.service.Odd(errNoChunks)
		}
		return nil, m.service.Cut(errUnfinished)
	}
	return r.reply(), nil
}
