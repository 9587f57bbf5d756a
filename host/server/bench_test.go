package server_test

import (
	"context"
	"io"
	"net/http/httptest"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cdphost/host/server"
	"cdphost/host/tool"
)

// BenchmarkCall is an MCP call that does nothing.
func BenchmarkCall(b *testing.B) {
	catalog, err := tool.NewCatalog(echo())
	if err != nil {
		b.Fatal(err)
	}
	s, err := server.New(server.Options{
		Catalog: catalog, DefaultToolset: "browser",
		Toolsets: map[string]*tool.Toolset{"browser": {Name: "browser", Tools: []string{"echo"}}},
		Gates:    func(_, _ string) tool.GateState { return tool.GateState{} },
	})
	if err != nil {
		b.Fatal(err)
	}
	web := httptest.NewServer(s.Handler())
	b.Cleanup(func() {
		_ = s.Close(context.Background())
		web.Close()
	})
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		b.Run("http "+version, func(b *testing.B) {
			measure(b, &mcp.StreamableClientTransport{Endpoint: web.URL + "/mcp"}, version)
		})
		b.Run("stdio "+version, func(b *testing.B) {
			hostIn, out := io.Pipe()
			in, hostOut := io.Pipe()
			done := make(chan error, 1)
			go func() { done <- s.ServeStdio(context.Background(), "browser", hostIn, hostOut) }()
			measure(b, &mcp.IOTransport{Reader: in, Writer: out}, version)
			<-done
		})
	}
}

func measure(b *testing.B, t mcp.Transport, version string) {
	b.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
	session, err := client.Connect(b.Context(), t, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = session.Close() }()
	params := &mcp.CallToolParams{Name: "echo", Arguments: map[string]any{}}
	for b.Loop() {
		if _, err := session.CallTool(b.Context(), params); err != nil {
			b.Fatal(err)
		}
	}
}
