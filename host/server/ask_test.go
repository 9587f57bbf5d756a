package server_test

import (
	"context"
	"errors"
	"maps"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cdphost/host/server"
	"cdphost/host/tool"
)

var question = tool.Question{TaskID: "default", DialogID: "d-1", Type: "prompt", Message: "Gift message?", URL: "http://shop.test/"}

func TestAsk(t *testing.T) {
	t.Parallel()
	accept := func(content map[string]any) func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		return func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			if !strings.Contains(r.Params.Message, "Gift message?") {
				return nil, errors.New("the question is missing")
			}
			return &mcp.ElicitResult{Action: "accept", Content: maps.Clone(content)}, nil
		}
	}
	for _, tc := range []struct {
		name    string
		handler func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error)
		answer  string // as the host heard it
		says    string
	}{
		{"accepted with text", accept(map[string]any{"answer": "accept", "text": "Enjoy"}), "accept Enjoy", "accepted dialog d-1"},
		{"accepted", accept(map[string]any{"answer": "accept"}), "accept", "accepted dialog d-1"},
		{"dismissed", accept(map[string]any{"answer": "dismiss", "text": "x"}), "dismiss", "dismissed dialog d-1"},
		{"declined", func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "decline"}, nil
		}, "", "still pending"},
		{"no elicitation", nil, "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			onEachCarrier(t, func(t *testing.T, c carrier) {
				var runs atomic.Int32
				var heard atomic.Value
				heard.Store("")
				asking := handled("asking", func(context.Context, *tool.Call) (*tool.Result, error) {
					runs.Add(1)
					return &tool.Result{Structured: map[string]any{"success": true}, Ask: []tool.Question{question}}, nil
				})
				h := newHost(t, []*tool.Tool{asking}, func(o *server.Options) {
					o.Answer = func(_ context.Context, caller string, q tool.Question, accept bool, text *string) error {
						said := "dismiss"
						if accept {
							said = "accept"
						}
						if text != nil {
							said += " " + *text
						}
						heard.Store(said)
						if caller != "local" || q != question {
							t.Errorf("answer of %q for %+v", caller, q)
						}
						return nil
					}
				})
				res := call(t, c.dial(t, h, &mcp.ClientOptions{ElicitationHandler: tc.handler}), "asking", nil)
				if got := structured(t, res); got != `{"success":true}` {
					t.Errorf("structured = %s", got)
				}
				last := res.Content[len(res.Content)-1].(*mcp.TextContent).Text
				if !strings.Contains(last, tc.says) {
					t.Errorf("the reply says %q, want %q", last, tc.says)
				}
				if got := heard.Load(); got != tc.answer || runs.Load() != 1 {
					t.Errorf("the host heard %q after %d runs, want %q after 1", got, runs.Load(), tc.answer)
				}
			})
		})
	}
}

func TestStaleAnswer(t *testing.T) {
	t.Parallel()
	h := newHost(t, []*tool.Tool{echo()}, nil)
	s := carriers()[4].dial(t, h, nil)
	res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "echo", Arguments: map[string]any{}, RequestState: "guess"})
	if err != nil {
		t.Fatal(err)
	}
	if got := structured(t, res); !strings.Contains(got, `"invalid_argument"`) || !strings.Contains(got, "too late") {
		t.Errorf("structured = %s", got)
	}
}
