package server

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"cdphost/host/tool"
)

// Access is what is served to whom.
type Access struct {
	Toolsets map[string]*tool.Toolset
	// DefaultToolset is the one at /mcp. It must be one of Toolsets.
	DefaultToolset string
	// Tokens, AllowedHosts and AllowedOrigins are those of Options.
	Tokens         []Token
	AllowedHosts   []string
	AllowedOrigins []string
}

func (o *Options) access() Access {
	return Access{
		Toolsets: o.Toolsets, DefaultToolset: o.DefaultToolset, Tokens: o.Tokens,
		AllowedHosts: o.AllowedHosts, AllowedOrigins: o.AllowedOrigins,
	}
}

func (s *Server) currentAccess() Access {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.access
}

// SetAccess replaces all of Access in one step, as after a change of the
// configuration. Calls and sessions of a toolset that is gone, or that came in
// with a token that counts no more, end at once; the others go on and are told
// when their list of tools has changed. It fails, and changes nothing, when the
// default toolset does not exist.
func (s *Server) SetAccess(a Access) error {
	if a.Toolsets[a.DefaultToolset] == nil {
		return fmt.Errorf("the default toolset %q is not one of: %s", a.DefaultToolset,
			strings.Join(slices.Sorted(maps.Keys(a.Toolsets)), ", "))
	}
	a.Toolsets, a.Tokens = maps.Clone(a.Toolsets), slices.Clone(a.Tokens)
	s.mu.Lock()
	old := s.access
	s.access = a
	var gone, kept []*endpoint
	for key, e := range s.endpoints {
		set := a.Toolsets[key.toolset]
		if set == nil || !e.piped && !stillOpen(old.Tokens, a.Tokens, key) {
			delete(s.endpoints, key)
			gone = append(gone, e)
			continue
		}
		e.set.Store(set)
		kept = append(kept, e)
	}
	s.mu.Unlock()
	for _, e := range gone {
		e.close()
	}
	for _, e := range kept {
		e.refresh()
	}
	return nil
}

// SetToolsets is SetAccess for the toolsets alone.
func (s *Server) SetToolsets(sets map[string]*tool.Toolset, fallback string) error {
	a := s.currentAccess()
	a.Toolsets, a.DefaultToolset = sets, fallback
	return s.SetAccess(a)
}

// stillOpen reports whether whatever let a caller in before still does.
func stillOpen(old, now []Token, key endpointKey) bool {
	before, after := tokensOf(old, key.toolset), tokensOf(now, key.toolset)
	if len(before) == 0 { // open to everybody
		return len(after) == 0
	}
	for _, t := range before {
		if t.Caller == key.caller && !slices.Contains(after, t) {
			return false
		}
	}
	return true
}
