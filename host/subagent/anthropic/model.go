// Package anthropic speaks the messages protocol of Anthropic.
//
// Nothing but its Options decides where a request goes and with which key: the
// environment is not read. Replies are streamed and returned when whole.
package anthropic

import (
	"context"
	"net/http"
	"strings"
	"time"

	api "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"cdphost/host/subagent"
	"cdphost/host/subagent/internal/modelhttp"
)

// DefaultBaseURL is the service of Anthropic itself.
const DefaultBaseURL = "https://api.anthropic.com"

// Options say which model. Model must be set.
type Options struct {
	// BaseURL is the address before "/v1/messages"; "" is DefaultBaseURL.
	BaseURL string
	Model   string
	// APIKey is sent as x-api-key; "" sends none.
	APIKey string
	// Transport is nil for http.DefaultTransport.
	Transport http.RoundTripper
	// StallTime is how long the service may be silent; 0 is four minutes.
	StallTime time.Duration
}

// Model is a model behind the protocol. It is safe for concurrent use.
type Model struct {
	messages api.MessageService
	service  modelhttp.Service
	stall    time.Duration
}

// New makes a Model. It sends nothing.
func New(o Options) *Model {
	if o.BaseURL == "" {
		o.BaseURL = DefaultBaseURL
	}
	if o.StallTime == 0 {
		o.StallTime = modelhttp.StallTime
	}
	base := strings.TrimSuffix(strings.TrimSuffix(o.BaseURL, "/"), "/v1")
	options := []option.RequestOption{
		option.WithBaseURL(base + "/"),
		option.WithHTTPClient(modelhttp.Client(o.Transport)),
		option.WithMaxRetries(0),
	}
	if o.APIKey != "" {
		options = append(options, option.WithAPIKey(o.APIKey))
	}
	return &Model{
		messages: api.NewMessageService(options...),
		service:  modelhttp.Service{Provider: "anthropic", Model: o.Model, BaseURL: o.BaseURL, Key: o.APIKey},
		stall:    o.StallTime,
	}
}

// Name implements subagent.Model.
func (m *Model) Name() string { return m.service.Model }

// Next implements subagent.Model with a streamed POST to /v1/messages.
func (m *Model) Next(ctx context.Context, req *subagent.Request) (*subagent.Reply, error) {
	watched, alive, stop := modelhttp.Watch(ctx, m.stall)
	defer stop()
	stream := m.messages.NewStreaming(watched, params(m.service.Model, req))
	defer func() { _ = stream.Close() }() // what it read is whole, or was told to be cut
	var a assembly
	for stream.Next() {
		alive()
		if err := a.add(stream.Current()); err != nil {
			return nil, m.service.Odd(err)
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err := stream.Err(); err != nil {
		return nil, m.explain(err, context.Cause(watched), a.begun, hasPictures(req))
	}
	if !a.finished {
		if !a.begun {
			return nil, m.service.Odd(errNoEvents)
		}
		return nil, m.service.Cut(errUnfinished)
	}
	return a.reply(), nil
}
