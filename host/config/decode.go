package config

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// maxNodes bounds the work of one file, so that a few aliases of aliases can't
// stand for a million values.
const maxNodes = 100_000

// decoder lays one file over a Config and collects every mistake on the way. A
// key whose value is wrong keeps the value it had.
type decoder struct {
	file   string
	dir    string // relative paths start here
	lookup func(string) (string, bool)
	config *Config
	places map[string]place    // of the keys of this file
	unset  map[string]UnsetEnv // of this file and the one it is laid over
	errs   ErrorList
	failed map[string]bool // the paths of errs
	budget *int            // values that may still be read, of typed or of trees
	typed  int
	trees  int
	files  []string // that were read
	digest digest   // of their contents
}

func (d *decoder) document(root *yaml.Node) {
	d.value(root, reflect.ValueOf(d.config).Elem(), field{}, "")
}

func (d *decoder) pos(n *yaml.Node) Position { return nodePosition(d.file, n) }

func (d *decoder) fail(n *yaml.Node, path string, e Error) {
	e.Pos, e.Path = d.pos(n), clipPath(path)
	d.add(&e)
}

// enter counts a node and reports whether it may still be read.
func (d *decoder) enter(n *yaml.Node, path string) bool { return d.spend(1, n, path) }

// spend counts the values below n that are about to be read, and reports whether
// they may be.
func (d *decoder) spend(values int, n *yaml.Node, path string) bool {
	left := *d.budget > 0
	*d.budget -= values
	if left && *d.budget <= 0 {
		d.fail(n, path, Error{Problem: fmt.Sprintf("has too many values; aliases may stand for at most %d in all", maxNodes)})
	}
	return *d.budget > 0
}

var (
	durationType = reflect.TypeFor[time.Duration]()
	secretType   = reflect.TypeFor[Secret]()
	treeType     = reflect.TypeFor[*Tree]()
)

// value decodes n into v. A key without a value is left as it is.
func (d *decoder) value(n *yaml.Node, v reflect.Value, f field, path string) {
	if !d.enter(n, path) {
		return
	}
	n = resolve(n)
	if isNull(n) {
		return
	}
	switch v.Type() {
	case durationType:
		d.duration(n, v, f, path)
		return
	case secretType:
		d.secret(n, v, path)
		return
	case treeType:
		d.tree(n, v, path)
		return
	}
	switch v.Kind() { //nolint:exhaustive // the kinds that Config has
	case reflect.Struct:
		d.structure(n, v, f, path)
	case reflect.Map:
		d.mapping(n, v, f, path)
	case reflect.Slice:
		d.list(n, v, f, path)
	case reflect.String:
		d.text(n, v, f, path)
	case reflect.Bool:
		d.boolean(n, v, path)
	case reflect.Int, reflect.Int64:
		d.integer(n, v, f, path)
	default:
		panic("config: a field of type " + v.Type().String())
	}
}

func (d *decoder) structure(n *yaml.Node, v reflect.Value, f field, path string) {
	fields := fieldsOf(v.Type())
	for _, p := range d.pairs(n, path) {
		at := join(path, p.key.Value)
		known := false
		for _, child := range fields {
			if child.name != p.key.Value {
				continue
			}
			known = true
			if child.format == "" {
				child.format = f.format
			}
			d.record(at, p)
			d.value(p.value, v.Field(child.index), child, at)
		}
		if !known {
			d.unknownKey(p.key, fields, at)
		}
	}
}

func (d *decoder) unknownKey(key *yaml.Node, fields []field, path string) {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	e := Error{Problem: "unknown key", Suggestion: suggest(key.Value, names), Allowed: names}
	if e.Suggestion == "" {
		e.Suggestion = elsewhere(key.Value)
	}
	d.fail(key, path, e)
}

func (d *decoder) list(n *yaml.Node, v reflect.Value, f field, path string) {
	if n.Kind != yaml.SequenceNode {
		d.wrongType(n, path, "a list")
		return
	}
	d.forgetElements(path)
	out := reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content))
	first := make(map[string]*yaml.Node, len(n.Content))
	for i, item := range n.Content {
		at := element(path, i)
		d.record(at, pair{item, item})
		if isNull(resolve(item)) {
			d.fail(item, at, Error{Problem: "must be a string, not nothing"})
			continue
		}
		d.value(item, out.Index(i), f.element(v.Type().Elem()), at)
		if f.format == "" {
			continue
		}
		text := resolve(item).Value
		if other, twice := first[text]; twice && text != "" {
			d.fail(item, at, Error{Problem: fmt.Sprintf("%q is listed twice, first in line %d", text, other.Line)})
		}
		first[text] = item
	}
	v.Set(out) // with the wrong ones empty, so that the others are checked too
}

// record remembers where a key with a value or a list's element stands.
func (d *decoder) record(path string, p pair) {
	if isNull(resolve(p.value)) {
		return
	}
	d.place(path, p)
}

func (d *decoder) place(path string, p pair) {
	where := place{key: d.pos(p.key), value: d.pos(p.value)}
	d.places[path], d.config.origin.places[path] = where, where
}

// given reports whether this file has the key with a value.
func (d *decoder) given(path string) bool {
	_, ok := d.places[path]
	return ok
}

// forgetElements removes what is known of the elements of a list that this file
// replaces.
func (d *decoder) forgetElements(path string) {
	for i := 0; ; i++ {
		at := element(path, i)
		if _, known := d.config.origin.places[at]; !known {
			return
		}
		delete(d.config.origin.places, at)
		delete(d.unset, at)
	}
}

// forget removes what is known of a path and all below it.
func forget[V any](m map[string]V, path string) {
	for k := range m {
		if rest, ok := strings.CutPrefix(k, path); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			delete(m, k)
		}
	}
}

func element(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }

// clipPath shortens the path of a value that is nested absurdly deep.
func clipPath(path string) string {
	const most = 160
	if len(path) > most {
		return strings.ToValidUTF8(path[:most], "") + "..."
	}
	return path
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
