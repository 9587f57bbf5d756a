package server

import (
	"maps"
	"slices"
)

// openToolsets names the toolsets that need no token.
func (s *Server) openToolsets() []string {
	s.mu.Lock()
	names := slices.Sorted(maps.Keys(s.toolsets))
	s.mu.Unlock()
	return slices.DeleteFunc(names, func(name string) bool {
		return len(tokensOf(s.opts.Tokens, name)) > 0
	})
}
