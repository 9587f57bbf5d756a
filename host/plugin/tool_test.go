//go:build unix

package plugin_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"cdphost/host/plugin"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

func TestTools(t *testing.T) {
	t.Parallel()
	var log logBuffer
	m := newManager(t, func(o *plugin.Options) { o.Logger = log.logger() })
	apply(t, m, spec("p", "good"))
	tools := m.Tools()
	if len(tools) != 2 || tools[1].Name != "echo" || tools[1].Plugin != "p" || !tools[1].ReadOnly || string(tools[1].InputSchema) != `{"type":"object"}` {
		t.Fatalf("got %+v", tools)
	}
	var steps []string
	r, err := m.CallTool(t.Context(), "echo", plugin.ToolCall{
		Task: supervisor.Key{TaskID: "t"}, Arguments: json.RawMessage(`{"text":"hi","do":"log"}`),
		Progress: func(done, total float64, message string) {
			steps = append(steps, fmt.Sprint(done, "/", total, message))
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Text != "hi" || string(r.Structured) != `{"text":"hi"}` || len(r.Images) != 1 || r.Images[0].MIMEType != "image/png" {
		t.Errorf("got %+v", r)
	}
	if len(steps) != 3 || steps[0] != "1/3step 1" {
		t.Errorf("progress %q", steps)
	}
	eventually(t, "the log line", func() bool { return strings.Contains(log.String(), "[WARN]  p: a warning: key=value n=7") })
}

// TestTraceReachesThePlugin: a plugin's spans can go below the host's.
func TestTraceReachesThePlugin(t *testing.T) {
	t.Parallel()
	recorder := tracetest.NewSpanRecorder()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder))
	tracing := true
	m := newManager(t, func(o *plugin.Options) {
		o.Tracer = func() trace.Tracer {
			if !tracing {
				return nil
			}
			return provider.Tracer("test")
		}
	})
	apply(t, m, spec("p", "good"))
	ask := func() string {
		t.Helper()
		r, err := m.CallTool(t.Context(), "echo", plugin.ToolCall{Arguments: json.RawMessage(`{"do":"trace"}`)})
		if err != nil {
			t.Fatal(err)
		}
		return r.Text
	}
	got := ask()
	i := slices.IndexFunc(recorder.Ended(), func(s sdktrace.ReadOnlySpan) bool {
		at := s.SpanContext()
		return got == fmt.Sprintf("00-%s-%s-01", at.TraceID(), at.SpanID())
	})
	if i < 0 {
		t.Errorf("the plugin was told %q, which is none of the host's %d spans", got, len(recorder.Ended()))
	}
	tracing = false
	if got := ask(); got != "" {
		t.Errorf("%q without traces", got)
	}
}

func TestToolIsCancelled(t *testing.T) {
	t.Parallel()
	m := newManager(t)
	apply(t, m, spec("p", "good"))
	ctx, cancel := context.WithCancel(t.Context())
	_, err := m.CallTool(ctx, "echo", plugin.ToolCall{
		Arguments: json.RawMessage(`{"do":"wait"}`), Progress: func(float64, float64, string) { cancel() },
	})
	wantCode(t, err, fault.Aborted)
	mustDecide(t, m, "")
}

func TestToolIsNotRepeated(t *testing.T) {
	t.Parallel()
	m := newManager(t)
	apply(t, m, spec("p", "good"))
	_, err := callTool(t, m, "echo", map[string]any{"do": "die"})
	wantCode(t, err, fault.PluginUnavailable)
	if _, gen := mustDecide(t, m, ""); gen != 2 {
		t.Errorf("generation %d", gen)
	}
	_, err = callTool(t, m, "nope", nil)
	wantCode(t, err, fault.PluginUnavailable)
}
