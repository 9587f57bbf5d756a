package config

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// raw returns the string of n as it is written, or reports a wrong type.
func (d *decoder) raw(n *yaml.Node, path string) (string, bool) {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str" {
		return n.Value, true
	}
	problem := "must be a string, not " + describe(n)
	if n.Kind == yaml.ScalarNode && n.Style&yaml.TaggedStyle == 0 {
		problem += "; put it in quotes"
	}
	d.fail(n, path, Error{Problem: problem})
	return "", false
}

// expanded returns the string of n with ${NAME} replaced, and the first variable
// that is not set.
func (d *decoder) expanded(n *yaml.Node, path string) (s, unset string, ok bool) {
	raw, ok := d.raw(n, path)
	if !ok {
		return "", "", false
	}
	s, unset, err := expand(raw, d.lookup)
	if err != nil {
		d.fail(n, path, Error{Problem: err.Error()})
		return "", "", false
	}
	delete(d.unset, path)
	if unset != "" {
		d.unset[path] = UnsetEnv{Name: unset, Path: path, Pos: d.pos(n)}
	}
	return s, unset, true
}

func (d *decoder) secret(n *yaml.Node, v reflect.Value, path string) {
	s, unset, ok := d.expanded(n, path)
	if !ok {
		return
	}
	secret := NewSecret(s)
	secret.missing = unset
	v.Set(reflect.ValueOf(secret))
}

func (d *decoder) text(n *yaml.Node, v reflect.Value, f field, path string) {
	e, isEnum := v.Interface().(enum)
	if isEnum && n.Kind == yaml.ScalarNode && n.ShortTag() == "!!bool" {
		d.notAllowed(n, path, e.values()) // on and off, as true and false
		return
	}
	s, _, ok := d.expanded(n, path)
	if !ok {
		return
	}
	if isEnum {
		for _, value := range e.values() {
			if s == value {
				v.SetString(s)
				return
			}
		}
		d.notAllowed(n, path, e.values())
		return
	}
	if s == "" && f.needed {
		problem := "must not be empty"
		if u, ok := d.unset[path]; ok {
			problem += "; ${" + u.Name + "} is not set"
		}
		d.fail(n, path, Error{Problem: problem})
		return
	}
	if check := formats[f.format]; check.right != nil && s != "" && !check.right(s) {
		d.fail(n, path, Error{Problem: quoted(n.Value) + " is not " + check.what})
		return
	}
	v.SetString(d.located(s, f.format))
}

func (d *decoder) notAllowed(n *yaml.Node, path string, allowed []string) {
	suggestion := suggest(n.Value, allowed)
	if n.ShortTag() == "!!bool" {
		suggestion = suggest(map[string]string{"true": "on", "false": "off"}[strings.ToLower(n.Value)], allowed)
	}
	d.fail(n, path, Error{Problem: "unknown value " + quoted(n.Value), Suggestion: suggestion, Allowed: allowed})
}

func (d *decoder) boolean(n *yaml.Node, v reflect.Value, path string) {
	var b bool
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!bool" || n.Decode(&b) != nil {
		d.wrongType(n, path, "true or false")
		return
	}
	v.SetBool(b)
}

// wholeNumber also fits what is too big for the library to call it an integer.
var wholeNumber = regexp.MustCompile(`^[-+]?[0-9]+$`)

func (d *decoder) integer(n *yaml.Node, v reflect.Value, f field, path string) {
	var i int64
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!int" && !wholeNumber.MatchString(n.Value) {
		d.wrongType(n, path, "a whole number")
		return
	}
	if n.Decode(&i) != nil || !f.inRange(float64(i)) || v.OverflowInt(i) {
		d.outOfRange(n, f, path)
		return
	}
	v.SetInt(i)
}

func (d *decoder) duration(n *yaml.Node, v reflect.Value, f field, path string) {
	var number float64
	tag := n.ShortTag()
	if n.Kind != yaml.ScalarNode || tag != "!!int" && tag != "!!float" || n.Decode(&number) != nil {
		d.wrongType(n, path, "a number of "+unitNames[f.unit])
		return
	}
	if math.IsNaN(number) || !f.inRange(number) {
		d.outOfRange(n, f, path)
		return
	}
	v.SetInt(int64(time.Duration(math.Round(number * float64(unitDurations[f.unit])))))
}

func (d *decoder) outOfRange(n *yaml.Node, f field, path string) {
	d.fail(n, path, Error{Problem: clip(n.Value) + " is out of range", Allowed: []string{f.rangeText()}})
}

func (d *decoder) wrongType(n *yaml.Node, path, want string) {
	problem := "must be " + want + ", not " + describe(n)
	if n.Kind == yaml.ScalarNode && strings.Contains(n.Value, "${") {
		problem += "; ${NAME} is replaced in strings only"
	}
	d.fail(n, path, Error{Problem: problem})
}

// describe names the type of a node. It shows no value, because the value may
// be a secret in the wrong place.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode, yaml.DocumentNode:
		return "an alias"
	case yaml.ScalarNode:
	}
	switch tag := n.ShortTag(); tag {
	case "!!str":
		return "a string"
	case "!!int":
		return "a number"
	case "!!float":
		return "a number with a fraction"
	case "!!bool":
		return "true or false"
	case "!!null":
		return "nothing"
	case "!!timestamp":
		return "a date"
	default:
		return "a value tagged " + clip(tag)
	}
}

// quoted shows a value as it is written in the file, so that what a ${NAME}
// stands for is never shown.
func quoted(s string) string { return fmt.Sprintf("%q", clip(s)) }

// clip shortens text for a message.
func clip(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}
