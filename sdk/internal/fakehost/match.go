package fakehost

import "strings"

// matches reports whether a method is one of patterns, "Domain.method" or
// "Domain.*".
func matches(patterns []string, method string) bool {
	for _, p := range patterns {
		if domain, ok := strings.CutSuffix(p, "*"); p == method || ok && strings.HasPrefix(method, domain) {
			return true
		}
	}
	return false
}
