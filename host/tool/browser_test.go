package tool

import (
	"context"
	"encoding/json"
	"testing"

	"cdphost/host/page"
)

func TestBrowser(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, args string
		reply      *page.Reply
		isError    bool
	}{
		{"browser", `{"type":"click","uid":"e1"}`, &page.Reply{OK: true, Action: "click", TabID: "t1", Result: map[string]any{"done": true}}, false},
		{"browser_failed", `{"type":"click","uid":"e9"}`, &page.Reply{Action: "click", TabID: "t1",
			Error: &page.Failure{Code: "element_stale", Message: "Extract again."}}, true},
		{"browser_no_task", `{"type":"click","uid":"e1","task_id":"x"}`, nil, true},
		{"browser_bad_arguments", `{"type":1}`, nil, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			k, task, _ := bench()
			task.act = func(_ context.Context, args json.RawMessage) *page.Reply {
				if string(args) != tc.args {
					t.Errorf("acted on %s", args)
				}
				return tc.reply
			}
			res, err := k.browser(t.Context(), callOf(tc.args))
			if err != nil {
				t.Fatal(err)
			}
			if res.IsError != tc.isError {
				t.Errorf("isError = %v", res.IsError)
			}
			golden(t, tc.name, res.Structured)
		})
	}
}
