package server

import (
	"context"
	"io"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TakeStdio returns standard input and output for MCP. From then on whatever
// else in the process writes to os.Stdout writes to standard error, so that
// standard output carries MCP only.
func TakeStdio() (in io.ReadCloser, out io.WriteCloser) {
	in, out = os.Stdin, os.Stdout
	os.Stdout = os.Stderr
	return in, out
}

// ServeStdio serves one client over a pair of pipes, as the caller LocalCaller,
// until the client closes its end (nil), ctx ends or the Server is closed.
func (s *Server) ServeStdio(ctx context.Context, toolset string, in io.ReadCloser, out io.WriteCloser) error {
	return s.serveTransport(ctx, toolset, &mcp.IOTransport{Reader: in, Writer: out})
}

func (s *Server) serveTransport(ctx context.Context, toolset string, t mcp.Transport) error {
	e, err := s.endpoint(toolset, LocalCaller)
	if err != nil {
		return err
	}
	s.mu.Lock()
	e.piped = true
	s.mu.Unlock()
	session, err := e.mcp.Connect(ctx, t, nil)
	if err != nil {
		return err
	}
	stopped := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(stopped)
		_ = session.Close()
	})
	// However a client goes away, its session has ended and that is no failure.
	err = session.Wait()
	if !stop() {
		<-stopped
	}
	s.log.Debug("the stdio client has gone", "error", err)
	return ctx.Err()
}
