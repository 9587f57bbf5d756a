package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// session is one MCP server under test: its process and the client's end.
type session struct {
	cmd    *exec.Cmd
	client *mcp.ClientSession
	schema int // bytes of its tools/list
}

func startSession(ctx context.Context, argv, env []string) (*session, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), env...)
	cmd.SysProcAttr = ownGroup()
	cmd.Dir = os.TempDir() // some leave files where they run
	c := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
	cs, err := c.Connect(ctx, &mcp.CommandTransport{Command: cmd, TerminateDuration: 5 * time.Second}, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", argv[0], err)
	}
	s := &session{cmd: cmd, client: cs}
	tools, err := cs.ListTools(ctx, nil)
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(tools.Tools)
	if err != nil {
		return nil, err
	}
	s.schema = len(data)
	return s, nil
}

// errLimit is a call that did not return in time.
var errLimit = errors.New("hang")

// call calls a tool and returns the text that a model would read.
func (s *session) call(ctx context.Context, limit time.Duration, name string, args map[string]any) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	res, err := s.client.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		if ctx.Err() != nil {
			return "", errLimit
		}
		return "", err
	}
	var b strings.Builder
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			b.WriteString(t.Text)
		}
	}
	if res.IsError {
		return b.String(), errors.New("error: " + firstLine(b.String()))
	}
	return b.String(), nil
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	if len(s) > 80 {
		s = s[:80]
	}
	return s
}

// close ends the server as a client does, and then whatever is left of its
// process group.
func (s *session) close() {
	done := make(chan struct{})
	go func() { _ = s.client.Close(); close(done) }()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
	}
	killGroup(s.cmd)
}
