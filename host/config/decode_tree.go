package config

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"reflect"

	"gopkg.in/yaml.v3"
)

// maxTreeDepth bounds the nesting of a plugin's configuration, and ends aliases
// that hold themselves.
const maxTreeDepth = 64

// tree decodes what is a plugin's to understand. It need only be a mapping that
// has a JSON form.
func (d *decoder) tree(n *yaml.Node, v reflect.Value, path string) {
	forget(d.unset, path)
	if n.Kind != yaml.MappingNode {
		d.wrongType(n, path, "a mapping")
		return
	}
	before, typed := len(d.errs), d.budget
	d.budget = &d.trees
	root, value, shown := d.branch(n, path, 0)
	d.budget = typed
	if len(d.errs) > before || d.trees <= 0 {
		return
	}
	t := &Tree{file: d.file, root: root}
	var err error
	if t.json, err = json.Marshal(value); err == nil {
		t.shown, err = json.Marshal(shown)
	}
	if err != nil {
		d.fail(n, path, Error{Problem: "has no JSON form: " + err.Error()})
		return
	}
	v.Set(reflect.ValueOf(t))
}

// branch copies n with aliases resolved and ${NAME} replaced, and returns its
// value for JSON, and that value as it is written in the file.
func (d *decoder) branch(n *yaml.Node, path string, depth int) (tree *yaml.Node, value, shown any) {
	if !d.enter(n, path) {
		return nil, nil, nil
	}
	if depth > maxTreeDepth {
		d.fail(n, path, Error{Problem: fmt.Sprintf("is nested deeper than %d levels", maxTreeDepth)})
		d.trees = 0 // one such mistake is enough
		return nil, nil, nil
	}
	n = resolve(n)
	tree = &yaml.Node{Kind: n.Kind, Style: n.Style, Tag: n.Tag, Value: n.Value, Line: n.Line, Column: n.Column}
	switch n.Kind { //nolint:exhaustive // a resolved node below the document is one of these
	case yaml.MappingNode:
		values, texts := map[string]any{}, map[string]any{}
		for _, p := range d.pairs(n, path) {
			child, v, s := d.branch(p.value, join(path, p.key.Value), depth+1)
			tree.Content = append(tree.Content, p.key, child)
			values[p.key.Value], texts[p.key.Value] = v, s
		}
		return tree, values, texts
	case yaml.SequenceNode:
		values, texts := []any{}, []any{}
		for i, item := range n.Content {
			child, v, s := d.branch(item, element(path, i), depth+1)
			tree.Content = append(tree.Content, child)
			values, texts = append(values, v), append(texts, s)
		}
		return tree, values, texts
	}
	value = d.leaf(n, path)
	if s, ok := value.(string); ok {
		tree.Value = s
		return tree, s, n.Value
	}
	return tree, value, value
}

// leaf returns the JSON value of a scalar.
func (d *decoder) leaf(n *yaml.Node, path string) any {
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		var b bool
		if n.Decode(&b) == nil {
			return b
		}
	case "!!int":
		if i, ok := new(big.Int).SetString(n.Value, 0); ok {
			return json.Number(i.String())
		}
	case "!!float":
		var f float64
		if n.Decode(&f) == nil && !math.IsInf(f, 0) && !math.IsNaN(f) {
			return f
		}
	case "!!timestamp":
		if n.Style&yaml.TaggedStyle == 0 {
			return n.Value
		}
	case "!!str":
		s, _, _ := d.expanded(n, path)
		return s
	}
	d.fail(n, path, Error{Problem: quoted(n.Value) + " has no JSON form"})
	return nil
}
