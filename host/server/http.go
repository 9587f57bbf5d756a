package server

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"time"

	"cdphost/sdk/fault"
)

// statelessSince is the first protocol version without sessions.
const statelessSince = "2026-07-28"

// readHeaderTimeout bounds how long a client may take over its request's head.
const readHeaderTimeout = 10 * time.Second

// Handler serves the default toolset at /mcp and each at /mcp/<toolset>.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/mcp", s.serveToolset)
	mux.HandleFunc("/mcp/{toolset}", s.serveToolset)
	if s.opts.Metrics != nil {
		mux.HandleFunc("GET /metrics", s.serveMetrics)
	}
	return s.guardBrowsers(mux)
}

func (s *Server) serveToolset(w http.ResponseWriter, r *http.Request) {
	e, err := s.admit(r)
	switch {
	case errors.Is(err, errNoToken):
		w.Header().Set("WWW-Authenticate", `Bearer realm="cdphost"`)
		http.Error(w, "Unauthorized: send the bearer token of this toolset", http.StatusUnauthorized)
	case errors.Is(err, errNoToolset):
		http.Error(w, "Not Found: there is no such toolset", http.StatusNotFound)
	case err != nil:
		http.Error(w, "Service Unavailable: the host is stopping", http.StatusServiceUnavailable)
	case r.Header.Get("Mcp-Protocol-Version") >= statelessSince:
		e.requests.ServeHTTP(w, r)
	default:
		e.sessions.ServeHTTP(w, r)
	}
}

// errNoToken is returned for a request whose token opens nothing.
var errNoToken = errors.New("no token that opens this toolset")

// admit finds the endpoint that a request may use, in one step with the look at
// its token, so that none is made for a token that has just ceased to count.
func (s *Server) admit(r *http.Request) (*endpoint, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	toolset := r.PathValue("toolset")
	if toolset == "" {
		toolset = s.access.DefaultToolset
	}
	name, ok := caller(s.access.Tokens, toolset, r)
	if !ok {
		return nil, errNoToken
	}
	return s.endpointLocked(toolset, name)
}

// Listen opens addr ("host:port"). Beyond loopback every toolset must need a
// token; fault.ConfigInvalid says so otherwise.
func (s *Server) Listen(ctx context.Context, addr string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fault.Wrap(err, fault.ConfigInvalid, "server.listen %q is not host:port.", addr)
	}
	if !isLoopbackName(strings.ToLower(host)) {
		if open := s.openToolsets(); len(open) > 0 {
			return nil, fault.New(fault.ConfigInvalid,
				"server.listen %q is reachable from outside, so a token is needed: set server.token (open without one: %s).",
				addr, strings.Join(open, ", "))
		}
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fault.Wrap(err, fault.ConfigInvalid, "Can't listen on %s: %v.", addr, errors.Unwrap(err))
	}
	return l, nil
}

// Serve serves HTTP on l until Close, which makes it return nil.
func (s *Server) Serve(l net.Listener) error {
	h := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: readHeaderTimeout}
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return errors.Join(ErrClosed, l.Close())
	}
	s.https[h] = struct{}{}
	s.mu.Unlock()
	if err := h.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
