package frames

import (
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cdphost/host/cdp"
	"cdphost/host/cdp/cdptest"
	"cdphost/host/server"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// agent is a client of a host with one task.
type agent struct {
	*host
	task string
}

var taskNumber atomic.Int64

// newAgent makes a task on a host that shows url, and ends it after the test.
func newAgent(t testing.TB, h *host, url string) *agent {
	t.Helper()
	a := &agent{host: h, task: fmt.Sprintf("task-%d", taskNumber.Add(1))}
	a.must(t, "browser_navigate", cdptest.M{"url": url})
	t.Cleanup(func() { h.registry.Forget(background(), a.key()) })
	return a
}

func (a *agent) key() supervisor.Key {
	return supervisor.Key{Caller: server.LocalCaller, TaskID: a.task}
}

// supervisor is the host's own view of the task.
func (a *agent) supervisor(t testing.TB) *supervisor.Supervisor {
	t.Helper()
	s, ok := a.registry.Get(a.key())
	if !ok {
		t.Fatalf("task %s has no supervisor", a.task)
	}
	return s
}

// refusal is the error of a tool as a client reads it.
type refusal struct {
	Code    fault.Code
	Message string
	Details json.RawMessage // the whole error
}

// call calls a tool for the agent's task.
func (a *agent) call(t testing.TB, tool string, args cdptest.M) (json.RawMessage, *refusal) {
	t.Helper()
	all := cdptest.M{"task_id": a.task}
	for k, v := range args {
		all[k] = v
	}
	res, err := a.client.CallTool(bound(t), &mcp.CallToolParams{Name: tool, Arguments: all})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	data, err := json.Marshal(res.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	if !res.IsError {
		return data, nil
	}
	refused := json.RawMessage(cdptest.Field(data, "error"))
	return data, &refusal{fault.Code(cdptest.Field(refused, "code")), cdptest.Field(refused, "message"), refused}
}

// must is call for what has to work.
func (a *agent) must(t testing.TB, tool string, args cdptest.M) json.RawMessage {
	t.Helper()
	data, refused := a.call(t, tool, args)
	if refused != nil {
		t.Fatalf("%s %v: %s", tool, args, refused.Details)
	}
	return data
}

// refused is call for what has to fail.
func (a *agent) refused(t testing.TB, tool string, args cdptest.M) *refusal {
	t.Helper()
	data, refused := a.call(t, tool, args)
	if refused == nil {
		t.Fatalf("%s %v: %s", tool, args, data)
	}
	return refused
}

// in evaluates an expression inside a frame and returns its value as text.
func (a *agent) in(t testing.TB, frameID, expression string) string {
	t.Helper()
	reply := a.must(t, "browser_cdp", cdptest.M{
		"method": "Runtime.evaluate", "frame_id": frameID,
		"params": cdptest.M{"expression": expression, "returnByValue": true, "awaitPromise": true},
	})
	if e := cdptest.Field(reply, "result.exceptionDetails"); e != "" {
		t.Fatalf("%s threw %s", expression, e)
	}
	return cdptest.Field(reply, "result.result.value")
}

// atTop evaluates an expression in the current page.
func (a *agent) atTop(t testing.TB, expression string) string {
	t.Helper()
	return a.in(t, "", expression)
}

// page is the host's own state of the task's current page.
func (a *agent) page(t testing.TB) *supervisor.Page {
	t.Helper()
	p, ok := a.supervisor(t).Snapshot().CurrentPage()
	if !ok {
		t.Fatal("the task has no page")
	}
	return p
}

// send sends a command on a session of the host's, as it is.
func (a *agent) send(t testing.TB, session, method string, params any) json.RawMessage {
	t.Helper()
	raw, err := a.supervisor(t).Call(bound(t), cdp.Command{SessionID: session, Method: method, Params: cdp.Marshal(params)})
	if err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	return raw
}
