package server_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cdphost/host/tool"
)

func gated() *tool.Tool {
	t := handled("gated", func(context.Context, *tool.Call) (*tool.Result, error) {
		return &tool.Result{Structured: map[string]any{"ok": true}}, nil
	})
	t.Gate = tool.GateCDP
	return t
}

func TestListFollowsTheGate(t *testing.T) {
	t.Parallel()
	onEachCarrier(t, func(t *testing.T, c carrier) {
		h := newHost(t, []*tool.Tool{echo(), gated()}, nil)
		changed := make(chan struct{}, 8)
		s := c.dial(t, h, &mcp.ClientOptions{
			ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- struct{}{} },
		})
		if got := toolNames(t, s); !slices.Equal(got, []string{"echo", "gated"}) {
			t.Fatalf("open: %v", got)
		}
		h.cdp.Store(false)
		h.Refresh()
		<-changed
		if got := toolNames(t, s); !slices.Equal(got, []string{"echo"}) {
			t.Errorf("shut: %v", got)
		}
		res := call(t, s, "gated", nil)
		const want = `{"error":{"code":"gate_closed","gate":"cdp","message":"gated is not offered now: no backend with CDP is configured and no task is attached to an endpoint."},"success":false}`
		if got := structured(t, res); !res.IsError || got != want {
			t.Errorf("a call of a shut tool = %s", got)
		}
		h.cdp.Store(true)
		h.Refresh()
		<-changed
		if got := toolNames(t, s); !slices.Equal(got, []string{"echo", "gated"}) {
			t.Errorf("open again: %v", got)
		}
	})
}

func TestCatalogChangeReachesClients(t *testing.T) {
	t.Parallel()
	onEachCarrier(t, func(t *testing.T, c carrier) {
		h := newHost(t, []*tool.Tool{echo()}, nil)
		set := &tool.Toolset{Name: "browser", Tools: []string{"echo", "late"}}
		if err := h.SetToolsets(map[string]*tool.Toolset{"browser": set}, "browser"); err != nil {
			t.Fatal(err)
		}
		changed := make(chan struct{}, 8)
		s := c.dial(t, h, &mcp.ClientOptions{
			ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- struct{}{} },
		})
		if got := toolNames(t, s); !slices.Equal(got, []string{"echo"}) {
			t.Fatalf("before: %v", got)
		}
		late := handled("late", func(context.Context, *tool.Call) (*tool.Result, error) {
			return &tool.Result{Structured: map[string]any{}}, nil
		})
		if err := h.opts.Catalog.Set("plugin", []*tool.Tool{late}); err != nil {
			t.Fatal(err)
		}
		<-changed
		if got := toolNames(t, s); !slices.Equal(got, []string{"echo", "late"}) {
			t.Errorf("after: %v", got)
		}
	})
}

func TestSetToolsetsRefusesAMissingDefault(t *testing.T) {
	t.Parallel()
	h := newHost(t, []*tool.Tool{echo()}, nil)
	err := h.SetToolsets(map[string]*tool.Toolset{"a": {Name: "a"}, "b": {Name: "b"}}, "c")
	if err == nil || !strings.Contains(err.Error(), `"c" is not one of: a, b`) {
		t.Errorf("err = %v", err)
	}
}
