package tool

import (
	"fmt"
	"maps"
	"slices"
	"sync"
)

// Catalog holds every tool that a toolset can name, by source: the host's own
// and those of each tool-provider plugin. It is safe for concurrent use.
type Catalog struct {
	mu      sync.Mutex
	sources map[string][]*Tool
	byName  map[string]*Tool
	changed chan struct{}
}

// NewCatalog makes a Catalog with the host's own tools.
func NewCatalog(builtin ...*Tool) (*Catalog, error) {
	c := &Catalog{
		sources: make(map[string][]*Tool),
		byName:  make(map[string]*Tool),
		changed: make(chan struct{}),
	}
	return c, c.Set("", builtin)
}

// Set replaces the tools of one source; none takes the source out. A name that
// another source has already is an error and changes nothing.
func (c *Catalog) Set(source string, tools []*Tool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	sources := maps.Clone(c.sources)
	delete(sources, source)
	if len(tools) > 0 {
		sources[source] = slices.Clone(tools)
	}
	byName := make(map[string]*Tool)
	for _, src := range slices.Sorted(maps.Keys(sources)) {
		for _, t := range sources[src] {
			if _, taken := byName[t.Name]; taken {
				return fmt.Errorf("the tool name %q is taken", t.Name)
			}
			byName[t.Name] = t
		}
	}
	c.sources, c.byName = sources, byName
	close(c.changed)
	c.changed = make(chan struct{})
	return nil
}

// Lookup returns the tool of that name.
func (c *Catalog) Lookup(name string) (*Tool, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, ok := c.byName[name]
	return t, ok
}

// Names returns the sorted names of all tools.
func (c *Catalog) Names() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Sorted(maps.Keys(c.byName))
}

// Changed returns a channel that is closed at the next Set.
func (c *Catalog) Changed() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.changed
}
