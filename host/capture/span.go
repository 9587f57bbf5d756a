package capture

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"cdphost/sdk/fault"
)

// TracerSource returns the tracer that makes spans of commands now; nil makes
// none, at no cost.
type TracerSource func() trace.Tracer

// Trace sets where the tracer comes from.
func (m *Manager) Trace(s TracerSource) { m.tracer.Store(&s) }

// span begins the span of one command; end takes its outcome.
func (h *Handle) span(ctx context.Context, cmd *Command) (_ context.Context, end func(error)) {
	source := h.manager.tracer.Load()
	if source == nil || *source == nil {
		return ctx, nil
	}
	tracer := (*source)()
	if tracer == nil {
		return ctx, nil
	}
	ctx, span := tracer.Start(ctx, "CDP "+cmd.Method, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(
		attribute.String("rpc.system", "cdp"),
		attribute.String("rpc.method", cmd.Method),
		attribute.String("cdphost.task", h.sup.Key().TaskID),
		attribute.String("cdphost.sender", h.holder.Name),
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
