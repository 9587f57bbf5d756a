// Package server speaks MCP to agents, over streamable HTTP and stdio, in both
// life cycles of the protocol: sessions up to 2025-11-25 and single requests
// from 2026-07-28 on.
//
// Each toolset is an endpoint of its own, and each caller has a server object
// of its own behind it, so no session, tool list or resource is ever shared
// between callers. Close returns after every session and listener has ended.
package server

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"sync"

	"github.com/hashicorp/go-hclog"
)

// Server serves toolsets to callers. It is safe for concurrent use.
type Server struct {
	opts Options
	log  hclog.Logger

	mu        sync.Mutex
	access    Access
	endpoints map[endpointKey]*endpoint
	https     map[*http.Server]struct{}
	closed    bool

	watch sync.WaitGroup
	// alive ends when Close begins; calls in flight end with it.
	alive context.Context
	stop  context.CancelFunc
}

type endpointKey struct{ toolset, caller string }

// New makes a Server. It fails when the default toolset does not exist.
func New(o Options) (*Server, error) {
	o.setDefaults()
	s := &Server{
		opts:      o,
		log:       o.Logger,
		endpoints: make(map[endpointKey]*endpoint),
		https:     make(map[*http.Server]struct{}),
	}
	s.alive, s.stop = context.WithCancel(context.Background())
	if err := s.SetAccess(o.access()); err != nil {
		s.stop()
		return nil, err
	}
	s.watch.Go(func() { s.watchCatalog(s.alive) })
	return s, nil
}

// Refresh judges all gates anew and tells clients whose list has changed. It is
// to be called when a task is attached or detached, and costs nothing otherwise.
func (s *Server) Refresh() {
	s.mu.Lock()
	endpoints := slices.Collect(maps.Values(s.endpoints))
	s.mu.Unlock()
	for _, e := range endpoints {
		e.refresh()
	}
}

// ErrClosed is returned by calls on a Server after Close.
var ErrClosed = errors.New("the server is closed")

// errNoToolset is returned for a toolset that is not configured.
var errNoToolset = errors.New("no such toolset")

// endpoint returns the endpoint of a toolset for a caller, made on first use.
func (s *Server) endpoint(toolset, caller string) (*endpoint, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.endpointLocked(toolset, caller)
}

func (s *Server) endpointLocked(toolset, caller string) (*endpoint, error) {
	if s.closed {
		return nil, ErrClosed
	}
	set := s.access.Toolsets[toolset]
	if set == nil {
		return nil, errNoToolset
	}
	key := endpointKey{toolset, caller}
	e := s.endpoints[key]
	if e == nil {
		e = newEndpoint(s, set, caller)
		s.endpoints[key] = e
	}
	return e, nil
}

func (s *Server) watchCatalog(ctx context.Context) {
	for {
		changed := s.opts.Catalog.Changed()
		s.Refresh()
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// Close cancels the calls in flight, ends all sessions and closes the listeners;
// what has not ended by ctx is cut off. Further calls do nothing.
func (s *Server) Close(ctx context.Context) error {
	s.mu.Lock()
	already := s.closed
	s.closed = true
	endpoints, https := s.endpoints, s.https
	s.endpoints, s.https = nil, nil
	s.mu.Unlock()
	if already {
		return nil
	}
	s.stop()
	s.watch.Wait()
	for _, e := range endpoints {
		e.close()
	}
	var errs []error
	for h := range https {
		if err := h.Shutdown(ctx); err != nil {
			errs = append(errs, h.Close())
		}
	}
	return errors.Join(errs...)
}
