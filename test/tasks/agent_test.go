package tasks

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/endpoint"
)

type obj = map[string]any

// agent works on one task through MCP.
type agent struct {
	t       *testing.T
	ctx     context.Context
	session *mcp.ClientSession
	taskID  string
	goal    string
}

// newAgent connects a client to the host.
func newAgent(t *testing.T, taskID string) *agent {
	t.Helper()
	if u, err := endpoint.ParseURL(cdptest.SharedChrome(t).WSURL); err != nil {
		t.Fatal(err)
	} else {
		setBrowser(u)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	hostIn, clientOut := io.Pipe()
	clientIn, hostOut := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- shared.server.ServeStdio(context.Background(), "browser", hostIn, hostOut) }()
	client := mcp.NewClient(&mcp.Implementation{Name: "solver", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.IOTransport{Reader: clientIn, Writer: clientOut}, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := &agent{t: t, ctx: ctx, session: session, taskID: taskID}
	t.Cleanup(func() {
		_ = session.Close()
		if err := <-done; err != nil {
			t.Errorf("ServeStdio: %v", err)
		}
		forget(taskID)
		cancel()
	})
	return a
}

// call calls a tool and returns what it answered.
func (a *agent) call(name string, args obj) obj {
	a.t.Helper()
	args["task_id"] = a.taskID
	res, err := a.session.CallTool(a.ctx, &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		a.t.Fatalf("%s %v: %v", name, args, err)
	}
	raw, err := json.Marshal(res.StructuredContent)
	if err != nil {
		a.t.Fatal(err)
	}
	var out obj
	if err := json.Unmarshal(raw, &out); err != nil {
		a.t.Fatalf("%s %v answered %s: %v", name, args, raw, err)
	}
	return out
}

// try carries out an action and returns the code of its error, "" for none.
func (a *agent) try(args obj) (result obj, code string) {
	a.t.Helper()
	out := a.call("browser", args)
	if e, ok := out["error"].(obj); ok {
		return e, fmt.Sprint(e["code"])
	}
	result, _ = out["result"].(obj)
	return result, ""
}

// do carries out an action that has to succeed.
func (a *agent) do(args obj) obj {
	a.t.Helper()
	result, code := a.try(args)
	if code != "" {
		a.t.Fatalf("%v: %s: %v\n%s", args, code, result["message"], a.sight())
	}
	return result
}

// stopped carries out an action that a dialog has to stop, and returns the
// dialog's message.
func (a *agent) stopped(args obj) string {
	a.t.Helper()
	result, code := a.try(args)
	if code == "" { // the dialog opened a moment after the action
		return a.message()
	}
	if code != "blocked_by_dialog" {
		a.t.Fatalf("%v: %s: %v; want blocked_by_dialog", args, code, result["message"])
	}
	d, _ := result["dialog"].(obj)
	return fmt.Sprint(d["message"])
}

// message waits for a dialog and returns its message.
func (a *agent) message() string {
	a.t.Helper()
	for a.ctx.Err() == nil {
		snap := a.call("browser_snapshot", obj{"text": false})
		if pending, _ := snap["pending_dialogs"].([]any); len(pending) > 0 {
			d, _ := pending[0].(obj)
			return fmt.Sprint(d["message"])
		}
	}
	a.t.Fatal("no dialog opened")
	return ""
}

func (a *agent) accept(text ...string) { a.t.Helper(); a.answer("accept", text...) }
func (a *agent) dismiss()              { a.t.Helper(); a.answer("dismiss") }

func (a *agent) answer(action string, text ...string) {
	a.t.Helper()
	args := obj{"action": action}
	if len(text) > 0 {
		args["prompt_text"] = text[0]
	}
	if out := a.call("browser_dialog", args); out["success"] != true {
		a.t.Fatalf("browser_dialog %v: %v", args, out["error"])
	}
}

// open opens a page in the task and reads its goal.
func (a *agent) open(url string) {
	a.t.Helper()
	out := a.call("browser_navigate", obj{"url": url})
	if out["success"] != true {
		a.t.Fatalf("browser_navigate %s: %v", url, out["error"])
	}
	if out["blocked"] != true {
		a.readGoal()
	}
}

func (a *agent) readGoal() {
	a.t.Helper()
	text := fmt.Sprint(a.do(obj{"type": "extract", "selector": "#goal"})["text"])
	a.goal = strings.TrimSpace(strings.TrimPrefix(text, "Goal: "))
}

// rewarded waits for the page to settle its reward.
func (a *agent) rewarded() {
	a.t.Helper()
	result, code := a.try(obj{"type": "wait_for", "selector": "#outcome", "timeout": 10})
	if code != "" {
		a.t.Fatalf("the goal %q was not settled: %s %v\n%s", a.goal, code, result["message"], a.sight())
	}
	if got := a.do(obj{"type": "evaluate", "expression": "task.reward"})["value"]; got != float64(1) {
		a.t.Fatalf("the goal %q was missed: the reward is %v\n%s", a.goal, got, a.sight())
	}
}

// sight is what the page shows, for messages.
func (a *agent) sight() string {
	out := a.call("browser", obj{"type": "extract", "max_bytes": 4096})
	seen, ok := out["result"].(obj)
	if !ok {
		return fmt.Sprint(out)
	}
	return fmt.Sprintf("%s\n%s\n%s", seen["url"], seen["elements"], seen["text"])
}
