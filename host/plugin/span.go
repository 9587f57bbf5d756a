package plugin

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
	"google.golang.org/grpc/metadata"

	"cdphost/sdk/fault"
)

// span begins the span of one hook call and names it to the plugin, as W3C Trace
// Context in the call's gRPC metadata; end, which is nil without a tracer, takes
// its outcome.
func (u *unit) span(ctx context.Context, hook string) (_ context.Context, end func(error)) {
	tracer := u.opts.Tracer()
	if tracer == nil {
		return ctx, nil
	}
	ctx, span := tracer.Start(ctx, "plugin "+u.spec.Name+" "+hook, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(
		attribute.String("cdphost.plugin", u.spec.Name),
		attribute.String("cdphost.hook", hook),
	))
	var named pairs
	propagation.TraceContext{}.Inject(ctx, &named)
	ctx = metadata.AppendToOutgoingContext(ctx, named...)
	return ctx, func(err error) {
		if err != nil {
			code := string(fault.CodeOf(err))
			span.SetAttributes(attribute.String("error.type", code))
			span.SetStatus(codes.Error, code)
		}
		span.End()
	}
}

// pairs takes trace context as gRPC metadata wants it: keys and values in turn.
type pairs []string

// Set implements propagation.TextMapCarrier.
func (p *pairs) Set(key, value string) { *p = append(*p, key, value) }

// Get implements propagation.TextMapCarrier. Metadata is only written.
func (*pairs) Get(string) string { return "" }

// Keys implements propagation.TextMapCarrier.
func (*pairs) Keys() []string { return nil }
