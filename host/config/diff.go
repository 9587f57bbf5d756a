package config

import (
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Change is one section, or one entry of plugins, toolsets or gates, that is not
// the same in two configurations.
type Change struct {
	// Section is a top-level key of the file.
	Section string `json:"section"`
	// Name is the entry's name in plugins, toolsets and gates, else "".
	Name string `json:"name,omitempty"`
	// Kind says what happened to it.
	Kind ChangeKind `json:"kind"`
	// Keys lists what changed in it, relative to it and sorted; a changed entry
	// of gates has none.
	Keys []string `json:"keys,omitempty"`
}

// ChangeKind says what happened to an entry.
type ChangeKind string

// Kinds. A section is always Changed.
const (
	Added   ChangeKind = "added"
	Removed ChangeKind = "removed"
	Changed ChangeKind = "changed"
)

// String returns a phrase such as "plugins.dialog changed: config". It holds no
// values.
func (c Change) String() string {
	text := c.Section
	if c.Name != "" {
		text += "." + c.Name
	}
	text += " " + string(c.Kind)
	if len(c.Keys) > 0 {
		text += ": " + strings.Join(c.Keys, ", ")
	}
	return text
}

// Diff lists what changed from one configuration to the next, in the order of
// the Config type and then by name. It is empty when they mean the same.
func Diff(from, to *Config) []Change {
	var changes []Change
	a, b := reflect.ValueOf(from).Elem(), reflect.ValueOf(to).Elem()
	for _, f := range fieldsOf(a.Type()) {
		before, after := a.Field(f.index), b.Field(f.index)
		if f.typ.Kind() == reflect.Map {
			changes = append(changes, diffEntries(f.name, before, after)...)
		} else if keys := diffKeys(before, after, ""); len(keys) > 0 {
			changes = append(changes, Change{Section: f.name, Kind: Changed, Keys: keys})
		}
	}
	return changes
}

func diffEntries(section string, a, b reflect.Value) []Change {
	all := keysOf(a)
	maps.Copy(all, keysOf(b))
	var changes []Change
	for _, name := range slices.Sorted(maps.Keys(all)) {
		key := reflect.ValueOf(name)
		before, after := a.MapIndex(key), b.MapIndex(key)
		c := Change{Section: section, Name: name}
		switch {
		case !before.IsValid():
			c.Kind = Added
		case !after.IsValid():
			c.Kind = Removed
		case before.Kind() != reflect.Struct && before.Interface() != after.Interface():
			c.Kind = Changed
		case before.Kind() == reflect.Struct:
			if c.Keys = diffKeys(before, after, ""); len(c.Keys) > 0 {
				c.Kind = Changed
			}
		}
		if c.Kind != "" {
			changes = append(changes, c)
		}
	}
	return changes
}

func diffKeys(a, b reflect.Value, path string) []string {
	var keys []string
	for _, f := range fieldsOf(a.Type()) {
		before, after, at := a.Field(f.index), b.Field(f.index), join(path, f.name)
		if f.typ.Kind() == reflect.Struct && f.typ != secretType {
			keys = append(keys, diffKeys(before, after, at)...)
		} else if !same(before, after) {
			keys = append(keys, at)
		}
	}
	slices.Sort(keys)
	return keys
}

func same(a, b reflect.Value) bool {
	switch x := a.Interface().(type) {
	case Secret:
		y, ok := b.Interface().(Secret)
		return ok && x.Equal(y)
	case *Tree:
		y, ok := b.Interface().(*Tree)
		return ok && x.Equal(y)
	}
	if k := a.Kind(); (k == reflect.Slice || k == reflect.Map) && a.Len() == 0 && b.Len() == 0 {
		return true
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}
