package plugin

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"cdphost/sdk/fault"
)

// span begins the span of one hook call; end, which is nil without a tracer,
// takes its outcome.
func (u *unit) span(ctx context.Context, hook string) (_ context.Context, end func(error)) {
	tracer := u.opts.Tracer()
	if tracer == nil {
		return ctx, nil
	}
	ctx, span := tracer.Start(ctx, "plugin "+u.spec.Name+" "+hook, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(
		attribute.String("cdphost.plugin", u.spec.Name),
		attribute.String("cdphost.hook", hook),
	))
	return ctx, func(err error) {
		if err != nil {
			code := string(fault.CodeOf(err))
			span.SetAttributes(attribute.String("error.type", code))
			span.SetStatus(codes.Error, code)
		}
		span.End()
	}
}
