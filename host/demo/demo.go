// Package demo plays an agent against a running host, through a real MCP client,
// and prints what the agent asked, what it got and how long it took.
//
// It makes nothing up: each line is a call and its reply, and a reply that is
// not what the story needs ends the demo with an error that says so.
package demo

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"cdphost/host/demo/shop"
)

// Host is the running host that the demo plays against.
type Host interface {
	// Endpoint is the URL of MCP over HTTP.
	Endpoint() string
	// Policy is the dialog policy that holds for new dialogs.
	Policy() string
	// PluginPID is the process id of a plugin, 0 while it is not running.
	PluginPID(name string) int
	// Epoch counts the connections that the task's browser has had.
	Epoch(taskID string) uint64
}

// Options say how the demo is shown.
type Options struct {
	Out io.Writer
	// Color marks up the output for a terminal.
	Color bool
	// Config is the file that the host watches, as WriteConfig has written it.
	Config string
	// Browser names the browser, for the first line.
	Browser string
	// Pause is how long each step stays before the next, for people who watch
	// the window.
	Pause time.Duration
}

// stepTime bounds each wait of the demo for something that takes milliseconds.
const stepTime = 10 * time.Second

// Run plays the demo. It serves the shop on loopback while it runs and leaves
// nothing behind.
func Run(ctx context.Context, h Host, o Options) error {
	site, err := serveShop(ctx)
	if err != nil {
		return err
	}
	defer site.close()
	agent, err := connect(ctx, h.Endpoint())
	if err != nil {
		return fmt.Errorf("the agent can't reach %s: %w", h.Endpoint(), err)
	}
	defer agent.close()
	s := &story{host: h, agent: agent, shop: site.url, opts: o, out: newPrinter(o.Out, o.Color)}
	return s.tell(ctx)
}

// site is the shop while it is served.
type site struct {
	url    string
	server *http.Server
	done   chan struct{}
}

func serveShop(ctx context.Context) (*site, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("serving the shop: %w", err)
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return nil, err
	}
	s := &site{
		// Browsers resolve every name below localhost to this machine, and take
		// shop.localhost and pay.localhost for different sites.
		url:    "http://shop.localhost:" + port + "/",
		server: &http.Server{Handler: shop.Handler(), ReadHeaderTimeout: stepTime},
		done:   make(chan struct{}),
	}
	go func() {
		defer close(s.done)
		_ = s.server.Serve(l) // always ErrServerClosed, from close
	}()
	return s, nil
}

func (s *site) close() {
	_ = s.server.Close()
	<-s.done
}
