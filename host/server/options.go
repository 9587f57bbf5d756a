package server

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/hashicorp/go-hclog"
	"go.opentelemetry.io/otel/trace"

	"cdphost/host/tool"
)

// LocalCaller is the name of a caller who needs no token: the client of a stdio
// process, or one on loopback while no token is configured.
const LocalCaller = "local"

// Options configure a Server. Catalog, Toolsets, DefaultToolset and Gates must
// be set.
type Options struct {
	Catalog        *tool.Catalog
	Toolsets       map[string]*tool.Toolset
	DefaultToolset string
	// Gates tells the state by which gates are judged. It must not block.
	Gates func(toolset, caller string) tool.GateState

	// Tokens are who may call over HTTP. A toolset with tokens of its own takes
	// only these, the others take those without a toolset.
	Tokens []Token
	// AllowedHosts are Host headers taken besides loopback names, without port.
	AllowedHosts []string
	// AllowedOrigins are origins ("https://app.example") whose pages may call.
	AllowedOrigins []string

	// SessionTimeout ends an MCP session without requests; its task lives on.
	// 0 stands for 30 minutes.
	SessionTimeout time.Duration
	// MaxBody is the size of a request body in bytes; 0 stands for 4 MiB.
	MaxBody int64

	// Version is what clients are told of the host.
	Version string
	// Answer answers a dialog as the user said; nil never asks users.
	Answer AnswerFunc
	// Resources reads what links in results point to; nil has none.
	Resources ResourceFunc
	// Prompts are the MCP prompts that every toolset offers.
	Prompts []Prompt
	// Observe is told of each finished tool call. It must not block.
	Observe func(Observation)
	// Metrics serves /metrics; nil has no such path. It is asked at each request
	// and returns nil while metrics are off.
	Metrics func() http.Handler
	// Tracer makes a span of each tool call; nil, or one that it returns, makes
	// none.
	Tracer func() trace.Tracer

	Logger hclog.Logger
}

// Observation is what there is to measure of one tool call.
type Observation struct {
	Toolset, Caller, Tool string
	// Args are the arguments as the agent gave them. They must not be changed.
	Args json.RawMessage
	// Code is the error code; "" for a success.
	Code     string
	Duration time.Duration
}

// ResourceFunc reads a resource of a caller.
type ResourceFunc func(ctx context.Context, caller, uri string) (data []byte, mime string, err error)

const (
	defaultSessionTimeout = 30 * time.Minute
	// defaultMaxBody is the limit of the MCP SDK too.
	defaultMaxBody = 4 << 20
)

func (o *Options) setDefaults() {
	if o.SessionTimeout == 0 {
		o.SessionTimeout = defaultSessionTimeout
	}
	if o.MaxBody == 0 {
		o.MaxBody = defaultMaxBody
	}
	if o.Version == "" {
		o.Version = "dev"
	}
	if o.Logger == nil {
		o.Logger = hclog.NewNullLogger()
	}
	if o.Observe == nil {
		o.Observe = func(Observation) {}
	}
	if o.Tracer == nil {
		o.Tracer = func() trace.Tracer { return nil }
	}
}
