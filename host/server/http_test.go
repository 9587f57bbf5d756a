package server_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cdphost/host/server"
	"cdphost/host/tool"
	"cdphost/sdk/fault"
)

func tokens(o *server.Options) {
	o.Tokens = []server.Token{
		{Caller: "ada", Secret: "ada-secret"},
		{Caller: "bob", Secret: "bob-secret"},
		{Caller: "core", Secret: "core-secret", Toolset: "core"},
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, path, token, caller string }{
		{"first", "/mcp", "ada-secret", "ada"},
		{"second, by name of the toolset", "/mcp/browser", "bob-secret", "bob"},
		{"a toolset's own", "/mcp/core", "core-secret", "core"},
		{"shared one where the toolset has its own", "/mcp/core", "ada-secret", ""},
		{"a toolset's own elsewhere", "/mcp", "core-secret", ""},
		{"wrong", "/mcp", "ada-secre", ""},
		{"none", "/mcp", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t, []*tool.Tool{echo()}, tokens)
			for _, version := range []string{"2025-11-25", "2026-07-28"} {
				client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
				s, err := connectHTTP(t, h, client, version, tc.path, tc.token)
				if tc.caller == "" {
					if err == nil || !strings.Contains(err.Error(), "Unauthorized") {
						t.Errorf("%s: err = %v, want Unauthorized", version, err)
					}
					continue
				}
				if err != nil {
					t.Fatalf("%s: %v", version, err)
				}
				if got := structured(t, call(t, s, "echo", nil)); !strings.Contains(got, `"caller":"`+tc.caller+`"`) {
					t.Errorf("%s: %s", version, got)
				}
			}
		})
	}
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

func post(t *testing.T, h *host, path, body string, change func(*http.Request)) *http.Response {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1:7717"+path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	return serve(h, r, change)
}

func get(t *testing.T, h *host, path string, change func(*http.Request)) *http.Response {
	t.Helper()
	return serve(h, httptest.NewRequest(http.MethodGet, "http://127.0.0.1:7717"+path, nil), change)
}

func serve(h *host, r *http.Request, change func(*http.Request)) *http.Response {
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	h.Handler().ServeHTTP(w, r)
	return w.Result()
}

func TestSessionBelongsToItsCaller(t *testing.T) {
	t.Parallel()
	h := newHost(t, []*tool.Tool{echo()}, tokens)
	as := func(token, session string) func(*http.Request) {
		return func(r *http.Request) {
			r.Header.Set("Authorization", "Bearer "+token)
			if session != "" {
				r.Header.Set("Mcp-Session-Id", session)
			}
		}
	}
	id := post(t, h, "/mcp", initialize, as("ada-secret", "")).Header.Get("Mcp-Session-Id")
	if id == "" {
		t.Fatal("no session id")
	}
	const list = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	if got := post(t, h, "/mcp", list, as("ada-secret", id)).StatusCode; got != http.StatusAccepted {
		t.Errorf("its own caller: %d", got)
	}
	if got := post(t, h, "/mcp", list, as("bob-secret", id)).StatusCode; got != http.StatusNotFound {
		t.Errorf("another caller: %d, want 404", got)
	}
}

func TestBrowsersAreKeptOut(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, host, origin string
		want               int
	}{
		{"a program", "127.0.0.1:7717", "", http.StatusOK},
		{"localhost", "localhost:7717", "", http.StatusOK},
		{"IPv6", "[::1]:7717", "", http.StatusOK},
		{"own origin", "localhost:7717", "http://localhost:7717", http.StatusOK},
		{"allowed host", "host.example", "", http.StatusOK},
		{"allowed origin", "127.0.0.1:7717", "https://app.example", http.StatusOK},
		{"rebound name", "evil.example:7717", "", http.StatusForbidden},
		{"foreign origin", "127.0.0.1:7717", "https://evil.example", http.StatusForbidden},
		{"other local port", "127.0.0.1:7717", "http://127.0.0.1:8080", http.StatusForbidden},
		{"opaque origin", "127.0.0.1:7717", "null", http.StatusForbidden},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t, []*tool.Tool{echo()}, func(o *server.Options) {
				o.AllowedHosts, o.AllowedOrigins = []string{"host.example"}, []string{"https://app.example"}
			})
			res := post(t, h, "/mcp", initialize, func(r *http.Request) {
				r.Host = tc.host
				if tc.origin != "" {
					r.Header.Set("Origin", tc.origin)
				}
			})
			if res.StatusCode != tc.want {
				body, _ := io.ReadAll(res.Body)
				t.Errorf("status %d, want %d: %s", res.StatusCode, tc.want, body)
			}
		})
	}
}

func TestUnknownToolset(t *testing.T) {
	t.Parallel()
	h := newHost(t, []*tool.Tool{echo()}, nil)
	if got := post(t, h, "/mcp/nothing", initialize, nil).StatusCode; got != http.StatusNotFound {
		t.Errorf("status %d, want 404", got)
	}
}

func TestBodyLimit(t *testing.T) {
	t.Parallel()
	h := newHost(t, []*tool.Tool{echo()}, func(o *server.Options) { o.MaxBody = 1000 })
	for _, version := range []string{"", "2026-07-28"} {
		res := post(t, h, "/mcp", initialize+strings.Repeat(" ", 1000), func(r *http.Request) {
			r.Header.Set("Mcp-Protocol-Version", version)
		})
		if res.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("version %q: status %d, want 413", version, res.StatusCode)
		}
	}
}

func TestListen(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, addr string
		change     func(*server.Options)
		code       fault.Code
		says       string
	}{
		{"loopback", "127.0.0.1:0", nil, "", ""},
		{"all addresses without a token", ":0", nil, fault.ConfigInvalid, "browser, core"},
		{"all addresses with tokens", "0.0.0.0:0", tokens, "", ""},
		{"not an address", "7717", nil, fault.ConfigInvalid, "is not host:port"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t, []*tool.Tool{echo()}, tc.change)
			l, err := h.Listen(t.Context(), tc.addr)
			if got := fault.CodeOf(err); got != tc.code {
				t.Fatalf("code %q, want %q", got, tc.code)
			}
			if err != nil {
				if !strings.Contains(err.Error(), tc.says) {
					t.Errorf("%v does not say %q", err, tc.says)
				}
				return
			}
			_ = l.Close()
		})
	}
}

func TestPortInUse(t *testing.T) {
	t.Parallel()
	h := newHost(t, []*tool.Tool{echo()}, nil)
	l, err := h.Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	if _, err := h.Listen(t.Context(), l.Addr().String()); !errors.Is(err, fault.ConfigInvalid) {
		t.Errorf("err = %v", err)
	}
}

func TestServeEndsWithClose(t *testing.T) {
	t.Parallel()
	h := newHost(t, []*tool.Tool{echo()}, nil)
	l, err := h.Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- h.Serve(l) }()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	s, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: "http://" + l.Addr().String() + "/mcp/core", HTTPClient: &http.Client{Transport: transport},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := toolNames(t, s); !slices.Equal(got, []string{"echo"}) {
		t.Errorf("tools %v", got)
	}
	if err := h.Close(t.Context()); err != nil {
		t.Errorf("Close: %v", err)
	}
	if err := <-done; err != nil {
		t.Errorf("Serve: %v", err)
	}
	_ = s.Close()
	late, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Serve(late); !errors.Is(err, server.ErrClosed) {
		t.Errorf("Serve after Close: %v", err)
	}
}
