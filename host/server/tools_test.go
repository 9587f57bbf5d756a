package server_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cdphost/host/tool"
	"cdphost/sdk/fault"
)

func handled(name string, f func(context.Context, *tool.Call) (*tool.Result, error)) *tool.Tool {
	return &tool.Tool{
		Name: name, Description: "for tests", InputSchema: tool.Schema(`{"type":"object"}`), Handler: f,
	}
}

// echo replies with what the host knows of the call.
func echo() *tool.Tool {
	return handled("echo", func(_ context.Context, c *tool.Call) (*tool.Result, error) {
		return &tool.Result{Structured: map[string]any{
			"caller": c.Caller, "toolset": c.Toolset.Name, "stateless": c.Stateless,
			"session": c.Session != "", "args": string(c.Args),
		}}, nil
	})
}

func failing() *tool.Tool {
	return handled("failing", func(context.Context, *tool.Call) (*tool.Result, error) {
		return nil, fault.New(fault.NoDialog, "No dialog is open.").With("pending", []string{})
	})
}

func panicking() *tool.Tool {
	return handled("panicking", func(context.Context, *tool.Call) (*tool.Result, error) { panic("secret text") })
}

func picture() *tool.Tool {
	return handled("picture", func(context.Context, *tool.Call) (*tool.Result, error) {
		return &tool.Result{
			Structured: map[string]any{"ok": true}, Untrusted: true,
			Images: []tool.Image{{MIME: "image/png", Data: []byte("png")}},
			Links:  []tool.Link{{URI: "cdphost://artifact/a1", Name: "extract", MIME: "text/markdown", Size: 5}},
		}, nil
	})
}

// waiting blocks until its context ends, and tells both moments.
func waiting(started, ended chan<- struct{}) *tool.Tool {
	return handled("waiting", func(ctx context.Context, _ *tool.Call) (*tool.Result, error) {
		started <- struct{}{}
		<-ctx.Done()
		ended <- struct{}{}
		return nil, ctx.Err()
	})
}

func call(t *testing.T, s *mcp.ClientSession, name string, args map[string]any) *mcp.CallToolResult {
	t.Helper()
	if args == nil {
		args = map[string]any{}
	}
	res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return res
}

// structured returns structuredContent as compact JSON with sorted keys.
func structured(t *testing.T, res *mcp.CallToolResult) string {
	t.Helper()
	data, err := json.Marshal(res.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func toolNames(t *testing.T, s *mcp.ClientSession) []string {
	t.Helper()
	var names []string
	for def, err := range s.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, def.Name)
	}
	return names
}
