package server

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"cdphost/host/tool"
)

// span begins the span of a tool call, below the span that the client names in
// the request's _meta or in its HTTP header (W3C Trace Context). end takes the
// call's error code. Without a tracer it does nothing.
func (e *endpoint) span(ctx context.Context, t *tool.Tool, req *mcp.CallToolRequest) (_ context.Context, end func(code string)) {
	tracer := e.srv.opts.Tracer()
	if tracer == nil {
		return ctx, func(string) {}
	}
	propagator := propagation.TraceContext{}
	if overHTTP(req) {
		ctx = propagator.Extract(ctx, propagation.HeaderCarrier(req.Extra.Header))
	}
	ctx = propagator.Extract(ctx, metaCarrier(req.Params.Meta))
	ctx, span := tracer.Start(ctx, "tools/call "+t.Name, trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(
		attribute.String("mcp.method.name", "tools/call"),
		attribute.String("gen_ai.tool.name", t.Name),
		attribute.String("cdphost.toolset", e.set.Load().Name),
		attribute.String("cdphost.caller", e.caller),
	))
	return ctx, func(code string) {
		if code != "" {
			span.SetAttributes(attribute.String("error.type", code))
			span.SetStatus(codes.Error, code)
		}
		span.End()
	}
}

// metaCarrier reads a request's _meta as a carrier of trace context.
type metaCarrier mcp.Meta

// Get implements propagation.TextMapCarrier.
func (m metaCarrier) Get(key string) string {
	value, _ := m[key].(string)
	return value
}

// Set implements propagation.TextMapCarrier. Requests are only read.
func (metaCarrier) Set(string, string) {}

// Keys implements propagation.TextMapCarrier.
func (metaCarrier) Keys() []string { return nil }
