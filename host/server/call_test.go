package server_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cdphost/host/tool"
)

func TestCall(t *testing.T) {
	t.Parallel()
	onEachCarrier(t, func(t *testing.T, c carrier) {
		h := newHost(t, []*tool.Tool{echo(), failing(), panicking(), picture()}, nil)
		s := c.dial(t, h, nil)
		http := strings.HasPrefix(c.name, "http")
		modern := c.version == "2026-07-28"
		want := fmt.Sprintf(`{"args":"{\"a\":1}","caller":"local","session":%v,"stateless":%v,"toolset":"browser"}`,
			http && !modern, http && modern)
		if got := structured(t, call(t, s, "echo", map[string]any{"a": 1})); got != want {
			t.Errorf("echo = %s, want %s", got, want)
		}

		res := call(t, s, "failing", nil)
		const wantFailure = `{"error":{"code":"no_dialog","message":"No dialog is open.","pending":[]},"success":false}`
		if got := structured(t, res); !res.IsError || got != wantFailure {
			t.Errorf("failing = %v %s", res.IsError, got)
		}
		if text := res.Content[0].(*mcp.TextContent).Text; !strings.Contains(text, `"code":"no_dialog"`) {
			t.Errorf("the text %q lacks the code", text)
		}

		res = call(t, s, "panicking", nil)
		if got := structured(t, res); !res.IsError || !strings.Contains(got, `"internal_error"`) || strings.Contains(got, "secret") {
			t.Errorf("panicking = %v %s", res.IsError, got)
		}

		var kinds []string
		for _, part := range call(t, s, "picture", nil).Content {
			kinds = append(kinds, fmt.Sprintf("%T", part))
		}
		wantKinds := []string{"*mcp.TextContent", "*mcp.TextContent", "*mcp.ImageContent", "*mcp.ResourceLink"}
		if !slices.Equal(kinds, wantKinds) {
			t.Errorf("picture has %v, want %v", kinds, wantKinds)
		}
	})
}

func TestUnknownToolIsAProtocolError(t *testing.T) {
	t.Parallel()
	onEachCarrier(t, func(t *testing.T, c carrier) {
		s := c.dial(t, newHost(t, []*tool.Tool{echo()}, nil), nil)
		_, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "nothing", Arguments: map[string]any{}})
		if err == nil || !strings.Contains(err.Error(), `unknown tool "nothing"`) {
			t.Errorf("err = %v", err)
		}
	})
}

func TestCancelReachesTheTool(t *testing.T) {
	t.Parallel()
	onEachCarrier(t, func(t *testing.T, c carrier) {
		started, ended := make(chan struct{}, 1), make(chan struct{}, 1)
		s := c.dial(t, newHost(t, []*tool.Tool{waiting(started, ended)}, nil), nil)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			_, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "waiting", Arguments: map[string]any{}})
			done <- err
		}()
		<-started
		cancel()
		<-ended
		if err := <-done; err == nil {
			t.Error("the cancelled call succeeded")
		}
	})
}

func TestCloseCancelsCalls(t *testing.T) {
	t.Parallel()
	onEachCarrier(t, func(t *testing.T, c carrier) {
		started, ended := make(chan struct{}, 1), make(chan struct{}, 1)
		h := newHost(t, []*tool.Tool{waiting(started, ended)}, nil)
		s := c.dial(t, h, nil)
		done := make(chan struct{})
		go func() {
			_, _ = s.CallTool(t.Context(), &mcp.CallToolParams{Name: "waiting", Arguments: map[string]any{}})
			close(done)
		}()
		<-started
		if err := h.Close(t.Context()); err != nil {
			t.Error(err)
		}
		<-ended
		<-done
	})
}

func TestProgress(t *testing.T) {
	t.Parallel()
	steps := handled("steps", func(_ context.Context, c *tool.Call) (*tool.Result, error) {
		c.Report(1, 2, "half")
		return &tool.Result{Structured: map[string]any{"ok": true}}, nil
	})
	onEachCarrier(t, func(t *testing.T, c carrier) {
		got := make(chan *mcp.ProgressNotificationParams, 1)
		s := c.dial(t, newHost(t, []*tool.Tool{steps}, nil), &mcp.ClientOptions{
			ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) { got <- r.Params },
		})
		params := &mcp.CallToolParams{Name: "steps", Arguments: map[string]any{}}
		params.SetProgressToken("p1")
		if _, err := s.CallTool(t.Context(), params); err != nil {
			t.Fatal(err)
		}
		if p := <-got; p.Message != "half" || p.Progress != 1 || p.Total != 2 {
			t.Errorf("progress = %+v", p)
		}
	})
}
