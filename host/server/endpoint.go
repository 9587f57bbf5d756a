package server

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cdphost/host/tool"
)

// endpoint is one toolset as one caller has it: a server object behind a
// handler for sessions and a handler for single requests.
type endpoint struct {
	srv    *Server
	caller string
	set    atomic.Pointer[tool.Toolset]
	mcp    *mcp.Server

	sessions http.Handler
	requests http.Handler
	asked    *askedStore

	// alive ends with the endpoint or the Server; calls in flight end with it.
	alive context.Context
	stop  context.CancelFunc
	piped bool // a stdio client is on it; guarded by srv.mu

	mu      sync.Mutex // guards offered and orders changes of the tool list
	offered map[string]*tool.Tool
}

func newEndpoint(s *Server, set *tool.Toolset, caller string) *endpoint {
	e := &endpoint{
		srv:     s,
		caller:  caller,
		offered: make(map[string]*tool.Tool),
		asked:   newAskedStore(),
	}
	e.alive, e.stop = context.WithCancel(s.alive)
	e.set.Store(set)
	e.mcp = mcp.NewServer(
		&mcp.Implementation{Name: "cdphost", Title: "cdphost", Version: s.opts.Version},
		&mcp.ServerOptions{
			Logger: sdkLogger(s.log),
			// Without this a list that is empty at first has no tools capability.
			Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{ListChanged: true}},
		})
	e.mcp.AddReceivingMiddleware(e.middleware)
	e.addResources()
	e.addPrompts()
	e.refresh()

	same := func(*http.Request) *mcp.Server { return e.mcp }
	options := mcp.StreamableHTTPOptions{
		Logger:              sdkLogger(s.log),
		MaxRequestBodyBytes: s.opts.MaxBody,
		// Host and Origin are checked before a request comes here.
		DisableLocalhostProtection: true,
	}
	sessions, requests := options, options
	sessions.SessionTimeout = s.opts.SessionTimeout
	requests.Stateless = true
	requests.PropagateRequestCancellation = true
	e.sessions = mcp.NewStreamableHTTPHandler(same, &sessions)
	e.requests = mcp.NewStreamableHTTPHandler(same, &requests)
	return e
}

// refresh brings the list of tools in line with the gates.
func (e *endpoint) refresh() {
	set := e.set.Load()
	offers := tool.Offers(e.srv.opts.Catalog, set, e.srv.opts.Gates(set.Name, e.caller))
	open := make(map[string]*tool.Tool, len(offers))
	for _, o := range offers {
		if o.Open {
			open[o.Name] = o.Tool
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for name := range e.offered {
		if open[name] == nil {
			e.mcp.RemoveTools(name)
		}
	}
	for name, t := range open {
		if e.offered[name] != t {
			e.mcp.AddTool(definition(t), e.handler(t))
		}
	}
	e.offered = open
}

// close ends all calls and sessions of the endpoint and waits for them.
func (e *endpoint) close() {
	e.stop()
	for session := range e.mcp.Sessions() {
		_ = session.Close() // it reports how the peer went away
	}
	for session := range e.mcp.Sessions() {
		_ = session.Wait()
	}
}
