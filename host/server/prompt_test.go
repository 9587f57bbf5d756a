package server_test

import (
	"context"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cdphost/host/server"
	"cdphost/host/supervisor"
	"cdphost/host/tool"
	"cdphost/sdk/fault"
)

// directory has one task at most.
type directory struct {
	tool.Directory
	task *task
	to   tool.Connection
}

type task struct {
	tool.Task
	id string
}

func (t *task) Snapshot() *supervisor.Snapshot {
	return &supervisor.Snapshot{
		Task:    supervisor.Key{Caller: "local", TaskID: t.id},
		Backend: supervisor.Backend{Kind: "cdp", Product: "Chrome/156", Capabilities: map[string]bool{"dialogs": true, "contexts": false}},
	}
}

func (d *directory) Tasks(string) []string {
	if d.task == nil {
		return nil
	}
	return []string{d.task.id}
}

func (d *directory) Task(context.Context, string, string) (tool.Task, error) { return d.task, nil }

func (d *directory) Connect(_ context.Context, _, id string, _ *tool.Toolset, to tool.Connection) (tool.Task, error) {
	d.task, d.to = &task{id: id}, to
	return d.task, nil
}

func (d *directory) Disconnect(context.Context, string, string) error {
	d.task = nil
	return nil
}

func TestBrowserPrompts(t *testing.T) {
	t.Parallel()
	onEachCarrier(t, func(t *testing.T, c carrier) {
		dir := new(directory)
		h := newHost(t, []*tool.Tool{echo()}, func(o *server.Options) { o.Prompts = server.BrowserPrompts(dir) })
		s := c.dial(t, h, nil)
		run := func(name string, args map[string]string) (string, error) {
			res, err := s.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: name, Arguments: args})
			if err != nil {
				return "", err
			}
			return res.Messages[0].Content.(*mcp.TextContent).Text, nil
		}
		if _, err := run("browser_status", nil); err == nil || !strings.Contains(err.Error(), string(fault.TaskNotFound)) {
			t.Errorf("before: %v", err)
		}
		got, err := run("browser_connect", map[string]string{"url": "127.0.0.1:9222", "adopt": "*shop*"})
		if err != nil || !strings.Contains(got, "Chrome/156 (cdp; can: dialogs)") {
			t.Errorf("connect: %q, %v", got, err)
		}
		if want := (tool.Connection{URL: "127.0.0.1:9222", Adopt: "*shop*"}); dir.to != want {
			t.Errorf("joined %+v", dir.to)
		}
		if got, err := run("browser_status", nil); err != nil || !strings.Contains(got, "0 tabs") {
			t.Errorf("status: %q, %v", got, err)
		}
		if got, err := run("browser_disconnect", nil); err != nil || dir.task != nil {
			t.Errorf("disconnect: %q, %v", got, err)
		}
	})
}
