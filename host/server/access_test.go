package server_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cdphost/host/server"
	"cdphost/host/tool"
)

func withToken(secret string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+secret) }
}

func TestATokenThatIsMissingLetsNobodyIn(t *testing.T) {
	t.Parallel()
	h := newHost(t, []*tool.Tool{echo()}, func(o *server.Options) {
		o.Tokens = []server.Token{{Caller: "core", Toolset: "core"}}
	})
	for _, change := range []func(*http.Request){nil, withToken(""), withToken("x")} {
		if got := post(t, h, "/mcp/core", initialize, change).StatusCode; got != http.StatusUnauthorized {
			t.Errorf("core: status %d, want 401", got)
		}
	}
	if got := post(t, h, "/mcp", initialize, nil).StatusCode; got != http.StatusOK {
		t.Errorf("a toolset without a token: status %d, want 200", got)
	}
}

// blocking is a tool that runs until its call is cancelled.
func blocking(started chan<- struct{}) *tool.Tool {
	return handled("blocking", func(ctx context.Context, _ *tool.Call) (*tool.Result, error) {
		started <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	})
}

func TestATokenThatIsTakenAwayStopsAtOnce(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			started := make(chan struct{})
			h := newHost(t, []*tool.Tool{echo(), blocking(started)}, tokens)
			client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
			ada := dialHTTP(t, h, client, version, "/mcp", "ada-secret")
			bob := dialHTTP(t, h, client, version, "/mcp", "bob-secret")
			ended := make(chan error, 1)
			go func() {
				res, err := ada.CallTool(context.Background(), &mcp.CallToolParams{Name: "blocking", Arguments: map[string]any{}})
				if err == nil && res.IsError {
					err = context.Canceled
				}
				ended <- err
			}()
			<-started

			err := h.SetAccess(server.Access{
				Toolsets: h.opts.Toolsets, DefaultToolset: "browser",
				Tokens: []server.Token{{Caller: "ada", Secret: "ada-new"}, h.opts.Tokens[1], h.opts.Tokens[2]},
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := <-ended; err == nil {
				t.Error("the call in flight went on")
			}
			if _, err := ada.CallTool(t.Context(), &mcp.CallToolParams{Name: "echo", Arguments: map[string]any{}}); err == nil {
				t.Error("the old token still opens the toolset")
			}
			if got := structured(t, call(t, bob, "echo", nil)); !strings.Contains(got, `"caller":"bob"`) {
				t.Errorf("bob: %s", got)
			}
			if got := post(t, h, "/mcp", initialize, withToken("ada-new")).StatusCode; got != http.StatusOK {
				t.Errorf("the new token: status %d, want 200", got)
			}
		})
	}
}

func TestMetricsAreForTheOperator(t *testing.T) {
	t.Parallel()
	metrics := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("up 1")) })
	for _, tc := range []struct {
		name   string
		tokens []server.Token
		remote string
		token  string
		off    bool
		want   int
	}{
		{"this machine", nil, "127.0.0.1:1", "", false, http.StatusOK},
		{"another machine", nil, "192.0.2.1:1", "", false, http.StatusForbidden},
		{"with the token", []server.Token{{Caller: "server", Secret: "s"}}, "192.0.2.1:1", "s", false, http.StatusOK},
		{"without the token", []server.Token{{Caller: "server", Secret: "s"}}, "127.0.0.1:1", "", false, http.StatusUnauthorized},
		{"with a toolset's token", []server.Token{{Caller: "server", Secret: "s"}, {Caller: "core", Secret: "c", Toolset: "core"}}, "127.0.0.1:1", "c", false, http.StatusUnauthorized},
		{"off", nil, "127.0.0.1:1", "", true, http.StatusNotFound},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t, []*tool.Tool{echo()}, func(o *server.Options) {
				o.Tokens = tc.tokens
				o.Metrics = func() http.Handler {
					if tc.off {
						return nil
					}
					return metrics
				}
			})
			res := get(t, h, "/metrics", func(r *http.Request) {
				r.RemoteAddr = tc.remote
				if tc.token != "" {
					withToken(tc.token)(r)
				}
			})
			if res.StatusCode != tc.want {
				t.Errorf("status %d, want %d", res.StatusCode, tc.want)
			}
		})
	}
}
