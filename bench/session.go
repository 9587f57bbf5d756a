package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// session is one server under test: its process and the client's end. For a
// library the server is a small program that passes calls on to it.
type session struct {
	cmd   *exec.Cmd
	stdin io.Closer
	// family marks all processes that the server starts, see inFamily.
	family string
	// invoke calls a tool and returns its text and whether it is an error's.
	invoke func(ctx context.Context, name string, args map[string]any) (text string, failed bool, err error)
	bye    func()
	schema int // bytes of its tools/list
	// ref names what adapter.find found: an element, a frame or a page, as the product wants it.
	ref string
	// pages names the isolated sessions that adapter.another opened.
	pages []string
}

// familyKey is the variable by which a server's processes are known, wherever in
// the process tree they have put themselves.
const familyKey = "CDPHOST_BENCH_FAMILY"

// launch starts a server with pipes of our own, so that a client can
// vanish as well as leave.
func launch(argv, env []string) (*session, io.ReadCloser, io.WriteCloser, error) {
	s := &session{family: fmt.Sprintf("%d-%s", os.Getpid(), nextID())}
	s.cmd = exec.Command(argv[0], argv[1:]...)
	s.cmd.Env = append(append(os.Environ(), env...), familyKey+"="+s.family)
	s.cmd.SysProcAttr = ownGroup()
	if os.Getenv("CDPHOST_BENCH_STDERR") != "" {
		s.cmd.Stderr = os.Stderr
	}
	s.cmd.WaitDelay = 5 * time.Second // for daemons that keep stderr
	s.cmd.Dir = os.TempDir()          // some leave files where they run
	stdin, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, nil, nil, err
	}
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, nil, nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, nil, nil, err
	}
	s.stdin = stdin
	return s, stdout, stdin, nil
}

// startMCP starts an MCP server over stdio and lists its tools.
func startMCP(ctx context.Context, argv, env []string) (*session, error) {
	s, out, in, err := launch(argv, env)
	if err != nil {
		return nil, err
	}
	if err := s.connect(ctx, &mcp.IOTransport{Reader: out, Writer: in}); err != nil {
		s.kill()
		return nil, fmt.Errorf("%s: %w", argv[0], err)
	}
	return s, nil
}

// connect makes an MCP client of the session.
func (s *session) connect(ctx context.Context, transport mcp.Transport) error {
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil).Connect(ctx, transport, nil)
	if err != nil {
		return err
	}
	s.bye = func() { _ = cs.Close() }
	var tools []*mcp.Tool
	for tool, err := range cs.Tools(ctx, nil) {
		if err != nil {
			return err
		}
		tools = append(tools, tool)
	}
	data, err := json.Marshal(tools)
	if err != nil {
		return err
	}
	s.schema = len(data)
	s.invoke = func(ctx context.Context, name string, args map[string]any) (string, bool, error) {
		res, err := cs.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: args})
		if err != nil {
			return "", false, err
		}
		var b strings.Builder
		for _, c := range res.Content {
			if t, ok := c.(*mcp.TextContent); ok {
				b.WriteString(t.Text)
			}
		}
		return b.String(), res.IsError, nil
	}
	return nil
}

// errLimit is a call that did not return in time.
var errLimit = errors.New("hang")

// call calls a tool and returns the text that a model would read.
func (s *session) call(ctx context.Context, limit time.Duration, name string, args map[string]any) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	text, failed, err := s.invoke(ctx, name, args)
	switch {
	case err != nil && ctx.Err() != nil:
		return "", errLimit
	case err != nil:
		return "", err
	case failed:
		return text, errors.New("error: " + firstLine(text))
	}
	return text, nil
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	if len(s) > 80 {
		s = s[:80]
	}
	return s
}

// close ends the server as a client does, and then whatever is left of it.
func (s *session) close() {
	done := make(chan struct{})
	go func() {
		defer close(done)
		if s.bye != nil {
			s.bye()
		}
		_ = s.stdin.Close()
		_ = s.cmd.Wait()
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
	}
	s.kill()
}

// kill ends all that the server started.
func (s *session) kill() {
	killGroup(s.cmd)
	for _, p := range family(s.family) {
		kill(p.pid)
	}
	_ = s.cmd.Wait()
}
