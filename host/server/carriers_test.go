package server_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cdphost/host/server"
	"cdphost/host/tool"
)

// host is a Server under test with the gate state that the test turns.
type host struct {
	*server.Server
	cdp  atomic.Bool
	opts server.Options
}

func newHost(t *testing.T, tools []*tool.Tool, change func(*server.Options)) *host {
	t.Helper()
	catalog, err := tool.NewCatalog(tools...)
	if err != nil {
		t.Fatal(err)
	}
	h := new(host)
	h.cdp.Store(true)
	h.opts = server.Options{
		Catalog: catalog,
		Toolsets: map[string]*tool.Toolset{
			"browser": {Name: "browser", Tools: catalog.Names()},
			"core":    {Name: "core", Tools: []string{"echo"}},
		},
		DefaultToolset: "browser",
		Gates:          func(_, _ string) tool.GateState { return tool.GateState{CDP: h.cdp.Load()} },
	}
	if change != nil {
		change(&h.opts)
	}
	h.Server, err = server.New(h.opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(context.Background()); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return h
}

// carrier connects a real MCP client to a host in one way.
type carrier struct {
	name    string
	version string
	connect func(t *testing.T, h *host, c *mcp.Client, version string) *mcp.ClientSession
}

// carriers are all ways in; each test of a behaviour runs over each.
func carriers() []carrier {
	return []carrier{
		{"stdio 2025-06-18", "2025-06-18", overPipes},
		{"stdio 2026-07-28", "2026-07-28", overPipes},
		{"http 2025-06-18", "2025-06-18", overHTTP},
		{"http 2025-11-25", "2025-11-25", overHTTP},
		{"http 2026-07-28", "2026-07-28", overHTTP},
	}
}

func onEachCarrier(t *testing.T, run func(t *testing.T, c carrier)) {
	t.Helper()
	for _, c := range carriers() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			run(t, c)
		})
	}
}

func (c carrier) dial(t *testing.T, h *host, o *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o)
	return c.connect(t, h, client, c.version)
}

func overPipes(t *testing.T, h *host, c *mcp.Client, version string) *mcp.ClientSession {
	t.Helper()
	hostIn, clientOut := io.Pipe()
	clientIn, hostOut := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- h.ServeStdio(context.Background(), "browser", hostIn, hostOut) }()
	session, err := c.Connect(t.Context(), &mcp.IOTransport{Reader: clientIn, Writer: clientOut},
		&mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		if err := <-done; err != nil {
			t.Errorf("ServeStdio: %v", err)
		}
	})
	return session
}

func overHTTP(t *testing.T, h *host, c *mcp.Client, version string) *mcp.ClientSession {
	t.Helper()
	return dialHTTP(t, h, c, version, "/mcp", "")
}

// dialHTTP connects to a path of the host with a bearer token.
func dialHTTP(t *testing.T, h *host, c *mcp.Client, version, path, token string) *mcp.ClientSession {
	t.Helper()
	session, err := connectHTTP(t, h, c, version, path, token)
	if err != nil {
		t.Fatal(err)
	}
	return session
}

func connectHTTP(t *testing.T, h *host, c *mcp.Client, version, path, token string) (*mcp.ClientSession, error) {
	t.Helper()
	web := httptest.NewServer(h.Handler())
	transport := &http.Transport{}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		web.Close()
	})
	session, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint:   web.URL + path,
		HTTPClient: &http.Client{Transport: bearer{token, transport}},
	}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err == nil {
		t.Cleanup(func() { _ = session.Close() })
	}
	return session, err
}

type bearer struct {
	token string
	next  http.RoundTripper
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	if b.token != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+b.token)
	}
	return b.next.RoundTrip(r)
}
