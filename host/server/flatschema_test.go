package server_test

import (
	"context"
	"encoding/json"
	"testing"

	"cdphost/host/page"
	"cdphost/host/server"
	"cdphost/host/tool"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestSchemaForClientsWithoutOneOf(t *testing.T) {
	t.Parallel()
	browser := handled("browser", func(context.Context, *tool.Call) (*tool.Result, error) {
		return &tool.Result{Structured: map[string]any{"ok": true}}, nil
	})
	browser.InputSchema = page.Schema()
	h := newHost(t, []*tool.Tool{browser}, func(o *server.Options) { delete(o.Toolsets, "core") })
	for _, tc := range []struct {
		client string
		flat   bool
	}{{"claude-code", true}, {"Claude Desktop", true}, {"vscode", false}, {"my-claude", false}} {
		t.Run(tc.client, func(t *testing.T) {
			t.Parallel()
			s := overPipes(t, h, mcp.NewClient(&mcp.Implementation{Name: tc.client, Version: "1"}, nil), "2025-06-18")
			list, err := s.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			data, err := json.Marshal(list.Tools[0].InputSchema)
			if err != nil {
				t.Fatal(err)
			}
			var schema struct {
				OneOf      []json.RawMessage `json:"oneOf"`
				Required   []string          `json:"required"`
				Properties map[string]struct {
					Type string   `json:"type"`
					Enum []string `json:"enum"`
				} `json:"properties"`
			}
			if err := json.Unmarshal(data, &schema); err != nil {
				t.Fatal(err)
			}
			if got := len(schema.OneOf) == 0; got != tc.flat {
				t.Fatalf("flat = %v: %s", got, data)
			}
			if !tc.flat {
				if len(schema.OneOf) != 13 {
					t.Errorf("%d variants", len(schema.OneOf))
				}
				return
			}
			if n := len(schema.Properties["type"].Enum); n != 13 {
				t.Errorf("%d actions in %s", n, data)
			}
			if len(schema.Required) != 1 || schema.Required[0] != "type" {
				t.Errorf("required = %v", schema.Required)
			}
			for _, name := range []string{"url", "uid", "selector", "text", "key", "expression", "tabId", "task_id"} {
				if _, ok := schema.Properties[name]; !ok {
					t.Errorf("no %s in %s", name, data)
				}
			}
		})
	}
}
