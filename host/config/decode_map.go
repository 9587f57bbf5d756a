package config

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"

	"gopkg.in/yaml.v3"
)

var entryName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)

// mapping merges the entries of n into the map v by name; an entry without a
// value takes one out.
func (d *decoder) mapping(n *yaml.Node, v reflect.Value, f field, path string) {
	merged := reflect.MakeMap(v.Type())
	for _, name := range v.MapKeys() {
		merged.SetMapIndex(name, v.MapIndex(name))
	}
	for _, p := range d.pairs(n, path) {
		d.entry(p, merged, f, join(path, p.key.Value))
	}
	v.Set(merged)
}

func (d *decoder) entry(p pair, merged reflect.Value, f field, path string) {
	name := reflect.ValueOf(p.key.Value)
	old := merged.MapIndex(name)
	if isNull(resolve(p.value)) {
		if !old.IsValid() {
			names := mapNames(merged)
			d.fail(p.key, path, Error{
				Problem:    "there is no such entry to take out",
				Suggestion: suggest(p.key.Value, names), Allowed: names,
			})
			return
		}
		merged.SetMapIndex(name, reflect.Value{})
		forget(d.unset, path)
		forget(d.config.origin.places, path)
		d.place(path, p)
		return
	}
	if !entryName.MatchString(p.key.Value) {
		d.fail(p.key, path, Error{Problem: fmt.Sprintf("%q is no name; a name has up to 64 of a-z, 0-9, - and _", clip(p.key.Value))})
		return
	}
	entry := reflect.New(merged.Type().Elem())
	if old.IsValid() {
		entry.Elem().Set(old)
	} else if e, ok := entry.Interface().(interface{ setDefaults(name string) }); ok {
		e.setDefaults(p.key.Value)
	}
	d.record(path, p)
	d.value(p.value, entry.Elem(), f.element(merged.Type().Elem()), path)
	merged.SetMapIndex(name, entry.Elem())
}

func mapNames(m reflect.Value) []string {
	names := make([]string, 0, m.Len())
	for _, k := range m.MapKeys() {
		names = append(names, k.String())
	}
	slices.Sort(names)
	return names
}

// pair is a key of a mapping with its value.
type pair struct{ key, value *yaml.Node }

// pairs returns the entries of a mapping in order, those of merge keys (<<)
// after the mapping's own. Keys given twice and keys that are no strings are
// reported and left out.
func (d *decoder) pairs(n *yaml.Node, path string) []pair {
	if n.Kind != yaml.MappingNode {
		d.wrongType(n, path, "a mapping")
		return nil
	}
	var own, merged []pair
	// A mapping that merges itself comes here often.
	if !d.spend(len(n.Content)/2, n, path) {
		return nil
	}
	seen := make(map[string]*yaml.Node, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := resolve(n.Content[i]), n.Content[i+1]
		switch {
		case key.Kind == yaml.ScalarNode && key.ShortTag() == "!!merge":
			merged = append(merged, d.mergePairs(value, path)...)
		case key.Kind != yaml.ScalarNode:
			d.fail(key, path, Error{Problem: "a key must be a string, not " + describe(key)})
		case seen[key.Value] != nil:
			d.fail(key, join(path, key.Value), Error{Problem: fmt.Sprintf("key given twice, first in line %d", seen[key.Value].Line)})
		default:
			seen[key.Value] = key
			own = append(own, pair{key, value})
		}
	}
	for _, p := range merged {
		if seen[p.key.Value] == nil {
			seen[p.key.Value] = p.key
			own = append(own, p)
		}
	}
	return own
}

func (d *decoder) mergePairs(value *yaml.Node, path string) []pair {
	if !d.enter(value, path) {
		return nil
	}
	value = resolve(value)
	if value.Kind != yaml.SequenceNode {
		return d.pairs(value, path)
	}
	var out []pair
	for _, item := range value.Content {
		if !d.enter(item, path) {
			return out
		}
		out = append(out, d.pairs(resolve(item), path)...)
	}
	return out
}

// resolve follows an alias to what it stands for.
func resolve(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode && n.Alias != nil {
		n = n.Alias
	}
	return n
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }
