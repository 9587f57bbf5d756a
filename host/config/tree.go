package config

import (
	"bytes"
	"encoding/json"
	"fmt"

	"gopkg.in/yaml.v3"
)

// Tree is a part of the file whose meaning only a plugin knows. It keeps the
// places of its values, so that the plugin's objections can be shown where they
// belong. A nil Tree is an empty one. It is immutable.
type Tree struct {
	file  string
	root  *yaml.Node
	json  json.RawMessage // what the plugin gets
	shown json.RawMessage // the same as written, with ${NAME} in place of values
}

// JSON returns the tree as a JSON object, with ${NAME} replaced. It may hold
// secrets: it is for the plugin, not for a log.
func (t *Tree) JSON() json.RawMessage {
	if t == nil {
		return json.RawMessage("{}")
	}
	return bytes.Clone(t.json)
}

// Node returns the tree's mapping with aliases resolved and ${NAME} replaced, or
// nil. Callers must not change it.
func (t *Tree) Node() *yaml.Node {
	if t == nil {
		return nil
	}
	return t.root
}

// Position returns where the value at a path such as rules[0].do stands. A path
// that does not exist gets the place of the nearest value above it; the zero
// Position means an empty tree.
func (t *Tree) Position(path string) Position {
	if t == nil {
		return Position{}
	}
	return nodePosition(t.file, nearest(t.root, path))
}

// Equal reports whether a plugin would see the same.
func (t *Tree) Equal(o *Tree) bool { return bytes.Equal(t.JSON(), o.JSON()) }

// MarshalJSON gives the values as they are written in the file, so that no
// secret that a ${NAME} stands for is shown.
func (t *Tree) MarshalJSON() ([]byte, error) {
	if t == nil {
		return []byte("{}"), nil
	}
	return t.shown, nil
}

// MarshalYAML is MarshalJSON.
func (t *Tree) MarshalYAML() (any, error) {
	shown, err := t.MarshalJSON()
	if err != nil {
		return nil, err
	}
	var v any
	err = json.Unmarshal(shown, &v)
	return v, err
}

// Format writes MarshalJSON for every verb.
func (t *Tree) Format(f fmt.State, _ rune) {
	shown := json.RawMessage("{}")
	if t != nil {
		shown = t.shown
	}
	_, _ = f.Write(shown)
}
