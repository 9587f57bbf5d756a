package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// agent is an MCP client with one task.
type agent struct {
	session *mcp.ClientSession
	task    string
}

func connect(ctx context.Context, endpoint string) (*agent, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "cdphost-demo", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: endpoint}, nil)
	if err != nil {
		return nil, err
	}
	return &agent{session: session, task: "demo"}, nil
}

func (a *agent) close() { _ = a.session.Close() }

// args are a call's arguments, in the order in which they are shown.
type args []arg

type arg struct {
	name  string
	value any
}

// call calls a tool for the agent's task and reads the reply into reply.
func (a *agent) call(ctx context.Context, tool string, given args, reply any) (time.Duration, error) {
	all := map[string]any{"task_id": a.task}
	for _, g := range given {
		all[g.name] = g.value
	}
	start := time.Now()
	res, err := a.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: all})
	took := time.Since(start)
	if err != nil {
		return took, fmt.Errorf("%s: %w", tool, err)
	}
	data, err := json.Marshal(res.StructuredContent)
	if err != nil {
		return took, fmt.Errorf("%s: %w", tool, err)
	}
	if res.IsError {
		var failed struct {
			Error struct{ Code, Message string }
		}
		_ = json.Unmarshal(data, &failed) // an unreadable error is shown empty
		return took, fmt.Errorf("%s: %s: %s", tool, failed.Error.Code, failed.Error.Message)
	}
	if err := json.Unmarshal(data, reply); err != nil {
		return took, fmt.Errorf("%s: the reply can't be read: %w", tool, err)
	}
	return took, nil
}

// tools lists the names of the tools.
func (a *agent) tools(ctx context.Context) ([]string, time.Duration, error) {
	start := time.Now()
	var names []string
	for t, err := range a.session.Tools(ctx, nil) {
		if err != nil {
			return nil, 0, err
		}
		names = append(names, t.Name)
	}
	return names, time.Since(start), nil
}
