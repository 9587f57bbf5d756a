package plugins

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// agent is an MCP client of a host.
type agent struct {
	t       *testing.T
	session *mcp.ClientSession
	changed chan struct{} // the list of tools has changed; holds one
}

func (h *host) agent() *agent {
	h.t.Helper()
	a := &agent{t: h.t, changed: make(chan struct{}, 1)}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {
			select {
			case a.changed <- struct{}{}:
			default:
			}
		},
	})
	var err error
	a.session, err = client.Connect(h.t.Context(), &mcp.StreamableClientTransport{Endpoint: "http://" + h.listen + "/mcp"}, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = a.session.Close() })
	return a
}

type object = map[string]any

// call calls a tool, which may fail.
func (a *agent) call(tool string, args object) (out object, failed bool) {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), waitLimit)
	defer cancel()
	r, err := a.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		a.t.Errorf("%s %v: %v", tool, args, err)
		return object{}, true
	}
	raw, err := json.Marshal(r.StructuredContent)
	if err == nil {
		err = json.Unmarshal(raw, &out)
	}
	if err != nil {
		a.t.Errorf("%s %v: %v", tool, args, err)
	}
	return out, r.IsError
}

// must calls a tool, which must not fail.
func (a *agent) must(tool string, args object) object {
	a.t.Helper()
	out, failed := a.call(tool, args)
	if failed {
		a.t.Fatalf("%s %v failed: %v", tool, args, out)
	}
	return out
}

// refused calls a tool and returns the code and the text of its error.
func (a *agent) refused(tool string, args object) (code, message string) {
	a.t.Helper()
	out, failed := a.call(tool, args)
	e, _ := out["error"].(object)
	if !failed || e == nil {
		a.t.Fatalf("%s %v did not fail: %v", tool, args, out)
	}
	code, _ = e["code"].(string)
	message, _ = e["message"].(string)
	return code, message
}

// evaluate returns the value of an expression in a task's page.
func (a *agent) evaluate(task, expression string) any {
	a.t.Helper()
	out := a.must("browser_cdp", object{
		"task_id": task, "method": "Runtime.evaluate", "params": object{"expression": expression, "returnByValue": true},
	})
	result, _ := out["result"].(object)
	value, _ := result["result"].(object)
	return value["value"]
}

// title is that of a task's page, nil while a dialog blocks it.
func (a *agent) title(task string) any {
	a.t.Helper()
	out, _ := a.call("browser_cdp", object{"task_id": task, "method": "Runtime.evaluate", "params": object{"expression": "document.title"}})
	result, _ := out["result"].(object)
	value, _ := result["result"].(object)
	return value["value"]
}

// offers reports whether a tool is listed.
func (a *agent) offers(tool string) bool {
	a.t.Helper()
	r, err := a.session.ListTools(a.t.Context(), nil)
	if err != nil {
		a.t.Fatal(err)
	}
	return slices.ContainsFunc(r.Tools, func(t *mcp.Tool) bool { return t.Name == tool })
}

// Models read the definitions of all tools in every conversation, so their size is
// part of the contract: 12 KB for what the default toolset offers.
func TestDefinitionsAreSmall(t *testing.T) {
	t.Parallel()
	r, err := serve(t, browser("must_respond")).agent().session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(r.Tools)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Tools) < 7 || len(data) > 12<<10 {
		t.Errorf("%d tools in %d bytes", len(r.Tools), len(data))
	}
}
