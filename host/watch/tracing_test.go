package watch

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestSpansGoToTheEndpoint(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, path, want string }{
		{"base", "", "/v1/traces"},
		{"whole", "/otlp/traces", "/otlp/traces"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			type got struct{ path, body string }
			posted := make(chan got, 1)
			collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				posted <- got{r.URL.Path, string(body)}
			}))
			defer collector.Close()
			w := New(Options{Version: "1.2.3"})
			if w.Tracer() != nil {
				t.Error("there is a tracer before one is wanted")
			}
			set(t, w, Settings{OTLPEndpoint: collector.URL + tc.path})
			_, span := w.Tracer().Start(t.Context(), "tools/call test")
			span.End()
			if err := w.Close(context.Background()); err != nil {
				t.Fatal(err)
			}
			g := <-posted
			if g.path != tc.want || !strings.Contains(g.body, "tools/call test") || !strings.Contains(g.body, "cdphost") {
				t.Errorf("%s got %q", g.path, g.body)
			}
			if w.Tracer() != nil {
				t.Error("there is a tracer after Close")
			}
		})
	}
}
