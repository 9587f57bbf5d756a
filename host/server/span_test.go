package server_test

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"cdphost/host/server"
	"cdphost/host/tool"
)

func TestCallsHaveSpansBelowTheClients(t *testing.T) {
	t.Parallel()
	onEachCarrier(t, func(t *testing.T, c carrier) {
		spans := tracetest.NewSpanRecorder()
		provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))
		h := newHost(t, []*tool.Tool{echo(), failing()}, func(o *server.Options) {
			o.Tracer = func() trace.Tracer { return provider.Tracer("test") }
		})
		s := c.dial(t, h, nil)
		const parent = "4bf92f3577b34da6a3ce929d0e0e4736"
		for _, name := range []string{"echo", "failing"} {
			if _, err := s.CallTool(t.Context(), &mcp.CallToolParams{
				Meta: mcp.Meta{"traceparent": "00-" + parent + "-00f067aa0ba902b7-01"},
				Name: name, Arguments: map[string]any{},
			}); err != nil {
				t.Fatal(err)
			}
		}
		ended := spans.Ended()
		if len(ended) != 2 {
			t.Fatalf("%d spans, want 2", len(ended))
		}
		for i, want := range []struct {
			name   string
			status codes.Code
		}{{"tools/call echo", codes.Unset}, {"tools/call failing", codes.Error}} {
			got := ended[i]
			if got.Name() != want.name || got.Status().Code != want.status || got.SpanContext().TraceID().String() != parent {
				t.Errorf("span %q, %v, in trace %s", got.Name(), got.Status(), got.SpanContext().TraceID())
			}
		}
	})
}
