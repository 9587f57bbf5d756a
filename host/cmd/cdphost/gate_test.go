package main

import (
	"context"
	"slices"
	"testing"

	"cdphost/host/cdp/cdptest"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rogpeppe/go-internal/testscript"
)

// TestToolListFollowsTheTask joins a browser that runs already from a host
// without a backend.
func TestToolListFollowsTheTask(t *testing.T) {
	t.Parallel()
	browser := cdptest.Chrome(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/gates",
		Setup: func(env *testscript.Env) error {
			env.Setenv("BROWSER_URL", browser.WSURL)
			return runtimeDir(env)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"waithost":   waitHost,
			"followgate": followGate,
		},
	})
}

// followGate connects a client of one protocol version and has it see
// browser_dialog come and go with the task's browser.
func followGate(ts *testscript.TestScript, _ bool, args []string) {
	ctx, cancel := context.WithTimeout(context.Background(), waitLimit)
	defer cancel()
	changed := make(chan struct{}, 16)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- struct{}{} },
	})
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: "http://" + address(ts) + "/mcp"},
		&mcp.ClientSessionOptions{ProtocolVersion: args[0]})
	ts.Check(err)
	defer session.Close()
	offered := func() bool {
		list, err := session.ListTools(ctx, nil)
		ts.Check(err)
		return slices.ContainsFunc(list.Tools, func(t *mcp.Tool) bool { return t.Name == "browser_dialog" })
	}
	// until waits for news of the list until it is as wanted.
	until := func(want bool) {
		for offered() != want {
			select {
			case <-changed:
			case <-ctx.Done():
				ts.Fatalf("%s: no news that browser_dialog is offered: %v", args[0], want)
			}
		}
	}
	call := func(name string, arguments map[string]any) {
		res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: arguments})
		ts.Check(err)
		if res.IsError {
			ts.Fatalf("%s: %s failed: %v", args[0], name, res.StructuredContent)
		}
	}
	if offered() {
		ts.Fatalf("%s: browser_dialog is offered without a browser", args[0])
	}
	call("browser_connect", map[string]any{"url": ts.Getenv("BROWSER_URL"), "task_id": "mine"})
	<-changed
	until(true)
	call("browser_disconnect", map[string]any{"task_id": "mine"})
	until(false)
}
