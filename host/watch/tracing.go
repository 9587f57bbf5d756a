package watch

import (
	"context"
	"net/url"

	"cdphost/sdk/fault"

	"github.com/hashicorp/go-hclog"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// tracing sends spans to one endpoint, in batches.
type tracing struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
}

// startTracing makes spans go to endpoint, an http or https URL. Nothing is sent
// yet, and an endpoint that does not answer costs spans and a line in the log.
func startTracing(endpoint, version string, logger hclog.Logger) (*tracing, error) {
	u, err := url.Parse(endpoint)
	if err != nil {
		return nil, fault.Wrap(err, fault.ConfigInvalid, "trace.otlp_endpoint is not a URL.")
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = "/v1/traces"
	}
	exporter, err := otlptracehttp.New(context.Background(), otlptracehttp.WithEndpointURL(u.String()))
	if err != nil {
		return nil, fault.Wrap(err, fault.ConfigInvalid, "trace.otlp_endpoint can't be used: %v.", err)
	}
	provider := sdktrace.NewTracerProvider(
		sdktrace.WithBatcher(&loggingExporter{SpanExporter: exporter, log: logger}),
		sdktrace.WithResource(resource.NewSchemaless(
			attribute.String("service.name", "cdphost"), attribute.String("service.version", version),
		)),
	)
	return &tracing{provider: provider, tracer: provider.Tracer("cdphost", trace.WithInstrumentationVersion(version))}, nil
}

// close sends what waits, within ctx.
func (t *tracing) close(ctx context.Context) error { return t.provider.Shutdown(ctx) }

// loggingExporter says once in a row that spans are lost. The library would
// write to standard error by itself.
type loggingExporter struct {
	sdktrace.SpanExporter
	log     hclog.Logger
	failing bool // one batch is exported at a time
}

// ExportSpans implements sdktrace.SpanExporter.
func (e *loggingExporter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	err := e.SpanExporter.ExportSpans(ctx, spans)
	if err != nil && !e.failing {
		e.log.Warn("spans are lost: the trace endpoint does not take them", "error", err)
	}
	e.failing = err != nil
	return nil
}
