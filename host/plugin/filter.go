package plugin

import (
	"fmt"
	"strings"

	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
)

// methodFilter matches "Domain.method" and "Domain.*" in constant time.
type methodFilter struct {
	all     bool
	exact   map[string]struct{}
	domains map[string]struct{}
	methods []string
}

func newMethodFilter(methods []string) *methodFilter {
	f := &methodFilter{exact: map[string]struct{}{}, domains: map[string]struct{}{}, methods: methods}
	for _, m := range methods {
		domain, all := strings.CutSuffix(m, ".*")
		switch {
		case m == "*":
			f.all = true
		case all:
			f.domains[domain] = struct{}{}
		default:
			f.exact[m] = struct{}{}
		}
	}
	return f
}

func (f *methodFilter) match(method string) bool {
	if f.all {
		return true
	}
	if _, ok := f.exact[method]; ok {
		return true
	}
	if len(f.domains) == 0 {
		return false
	}
	domain, _, _ := strings.Cut(method, ".")
	_, ok := f.domains[domain]
	return ok
}

// guardFilter is what a guard declares.
type guardFilter struct {
	*methodFilter
	compare []string
}

// defaultCompare are the facts whose change makes the host ask again.
var defaultCompare = []string{"epoch", "session_id", "target_id", "frame_id", "loader_id", "origin", "dialog_open"}

var knownFacts = map[string]bool{
	"epoch": true, "session_id": true, "target_id": true, "tab_id": true, "frame_id": true,
	"loader_id": true, "origin": true, "url": true, "title": true, "dialog_open": true,
}

func newGuardFilter(f *pluginv1.GuardFilter) (*guardFilter, error) {
	if len(f.GetMethods()) == 0 {
		return nil, fmt.Errorf("its guard names no method")
	}
	compare, err := compareFacts(f.GetCompare())
	if err != nil {
		return nil, err
	}
	return &guardFilter{methodFilter: newMethodFilter(f.GetMethods()), compare: compare}, nil
}

// compareFacts checks the names of facts; none means the default.
func compareFacts(names []string) ([]string, error) {
	if len(names) == 0 {
		return defaultCompare, nil
	}
	for _, n := range names {
		if !knownFacts[n] {
			return nil, fmt.Errorf("there is no fact %q", clean(n, 40))
		}
	}
	return names, nil
}
