package plugin

import (
	"cmp"
	"fmt"
	"slices"

	"cdphost/sdk/fault"
)

// table is an immutable view of all plugins; a swap replaces it whole.
type table struct {
	units    map[string]*unit
	policies map[string]string // policy -> unit
	tools    map[string]string // tool -> unit
	guards   []*Guard          // ascending priority, then name
	events   []*unit
}

// newTable builds the view and refuses two plugins that claim one name.
func newTable(m *Manager, units map[string]*unit) (*table, error) {
	t := &table{units: units, policies: map[string]string{}, tools: map[string]string{}}
	for _, name := range sortedNames(units) {
		u := units[name]
		for _, p := range u.desc.Policies {
			if other, taken := t.policies[p]; taken {
				return nil, fault.New(fault.ConfigInvalid, "plugins %s and %s both offer the dialog policy %q", other, name, p)
			}
			t.policies[p] = name
		}
		for _, tool := range u.tools {
			if other, taken := t.tools[tool.Name]; taken {
				return nil, fault.New(fault.ConfigInvalid, "plugins %s and %s both offer the tool %q", other, name, tool.Name)
			}
			t.tools[tool.Name] = name
		}
		if u.desc.has(hookGuard) {
			t.guards = append(t.guards, &Guard{
				m: m, name: name, priority: u.spec.Priority, lenient: u.spec.AllowOnFailure,
				timeout: cmp.Or(u.spec.Timeout, guardTimeout), filter: u.guard,
			})
		}
		if u.desc.has(hookEvent) {
			t.events = append(t.events, u)
		}
	}
	slices.SortFunc(t.guards, func(a, b *Guard) int {
		return cmp.Or(cmp.Compare(a.priority, b.priority), cmp.Compare(a.name, b.name))
	})
	return t, nil
}

// unit returns the plugin of a name, which must have hook.
func (t *table) unit(name, hook string) (*unit, error) {
	u, ok := t.units[name]
	if !ok {
		return nil, fault.New(fault.PluginUnavailable, "there is no plugin %q", name)
	}
	if !u.desc.has(hook) {
		return nil, fault.New(fault.PluginUnavailable, "plugin %s is no %s", name, hook)
	}
	return u, nil
}

// policy returns the plugin that offers a dialog policy.
func (t *table) policy(name string) (*unit, error) {
	plugin, ok := t.policies[name]
	if !ok {
		return nil, fault.New(fault.PluginUnavailable, "no plugin offers the dialog policy %q; there are %s",
			name, fmt.Sprint(sortedNames(t.policies)))
	}
	return t.units[plugin], nil
}

func sortedNames[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for n := range m {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}
