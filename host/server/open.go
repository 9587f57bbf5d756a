package server

import (
	"maps"
	"slices"
)

// openToolsets names the toolsets that need no token.
func (s *Server) openToolsets() []string {
	a := s.currentAccess()
	return slices.DeleteFunc(slices.Sorted(maps.Keys(a.Toolsets)), func(name string) bool {
		return len(tokensOf(a.Tokens, name)) > 0
	})
}
