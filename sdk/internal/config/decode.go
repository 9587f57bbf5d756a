// Package config decodes a plugin's JSON configuration into a Go value strictly:
// every unknown key and every wrong type is a Problem with the path of its key.
// Keys that are left out keep the value that the target holds already.
package config

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Problem is one thing that is wrong, at Path, as in "rules[2].do".
type Problem struct {
	Path    string
	Message string
	Allowed []string
}

// Decode fills target, a pointer, from data, a JSON object or nothing.
func Decode(data []byte, target any) []Problem {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var tree any
	if err := dec.Decode(&tree); err != nil {
		return []Problem{{Message: "not JSON: " + err.Error()}}
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return []Problem{{Message: "more than one JSON value"}}
	}
	d := decoder{}
	if tree != nil {
		d.value("", tree, reflect.ValueOf(target).Elem())
	}
	return d.problems
}

type decoder struct{ problems []Problem }

func (d *decoder) fail(path, format string, args ...any) {
	d.problems = append(d.problems, Problem{Path: path, Message: fmt.Sprintf(format, args...)})
}

func (d *decoder) value(path string, in any, out reflect.Value) {
	if in == nil {
		out.SetZero()
		return
	}
	if d.custom(path, in, out) {
		return
	}
	switch out.Kind() {
	case reflect.Pointer:
		fresh := reflect.New(out.Type().Elem())
		if !out.IsNil() {
			fresh.Elem().Set(out.Elem())
		}
		d.value(path, in, fresh.Elem())
		out.Set(fresh)
	case reflect.Struct:
		d.object(path, in, out)
	case reflect.Map:
		d.mapping(path, in, out)
	case reflect.Slice:
		d.list(path, in, out)
	default:
		d.scalar(path, in, out)
	}
}

// custom handles types that decode themselves.
func (d *decoder) custom(path string, in any, out reflect.Value) bool {
	if out.Type() == reflect.TypeFor[time.Duration]() {
		text, ok := in.(string)
		if !ok {
			d.fail(path, "is %s, but must be a duration such as \"1.5s\"", kind(in))
			return true
		}
		v, err := time.ParseDuration(text)
		if err != nil {
			d.fail(path, "%q is not a duration such as \"1.5s\"", text)
			return true
		}
		out.SetInt(int64(v))
		return true
	}
	if out.Kind() == reflect.Pointer || !out.CanAddr() {
		return false
	}
	switch target := out.Addr().Interface().(type) {
	case json.Unmarshaler:
		raw, err := json.Marshal(in)
		if err == nil {
			err = target.UnmarshalJSON(raw)
		}
		if err != nil {
			d.fail(path, "%v", err)
		}
		return true
	case encoding.TextUnmarshaler:
		text, ok := in.(string)
		if !ok {
			d.fail(path, "is %s, but must be a string", kind(in))
		} else if err := target.UnmarshalText([]byte(text)); err != nil {
			d.fail(path, "%v", err)
		}
		return true
	}
	return false
}

func (d *decoder) object(path string, in any, out reflect.Value) {
	object, ok := in.(map[string]any)
	if !ok {
		d.fail(path, "is %s, but must be a mapping", kind(in))
		return
	}
	fields := fields(out.Type())
	for _, key := range slices.Sorted(maps.Keys(object)) {
		index, ok := fields[key]
		if !ok {
			d.problems = append(d.problems, Problem{
				Path: join(path, key), Message: "unknown key", Allowed: slices.Sorted(maps.Keys(fields)),
			})
			continue
		}
		d.value(join(path, key), object[key], out.Field(index))
	}
}

func (d *decoder) mapping(path string, in any, out reflect.Value) {
	object, ok := in.(map[string]any)
	if !ok || out.Type().Key().Kind() != reflect.String {
		d.fail(path, "is %s, but must be a mapping", kind(in))
		return
	}
	result := reflect.MakeMapWithSize(out.Type(), len(object))
	for _, key := range slices.Sorted(maps.Keys(object)) {
		item := reflect.New(out.Type().Elem()).Elem()
		d.value(join(path, key), object[key], item)
		result.SetMapIndex(reflect.ValueOf(key).Convert(out.Type().Key()), item)
	}
	out.Set(result)
}

func (d *decoder) list(path string, in any, out reflect.Value) {
	items, ok := in.([]any)
	if !ok {
		d.fail(path, "is %s, but must be a list", kind(in))
		return
	}
	result := reflect.MakeSlice(out.Type(), len(items), len(items))
	for i, item := range items {
		d.value(fmt.Sprintf("%s[%d]", path, i), item, result.Index(i))
	}
	out.Set(result)
}

func (d *decoder) scalar(path string, in any, out reflect.Value) {
	raw, err := json.Marshal(in)
	if err == nil {
		err = json.Unmarshal(raw, out.Addr().Interface())
	}
	if err != nil {
		d.fail(path, "is %s, but must be %s", kind(in), wanted(out.Type()))
	}
}

// fields maps the keys of a struct to the indexes of its exported fields.
func fields(t reflect.Type) map[string]int {
	out := make(map[string]int, t.NumField())
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		out[name] = i
	}
	return out
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func kind(v any) string {
	switch v := v.(type) {
	case map[string]any:
		return "a mapping"
	case []any:
		return "a list"
	case string:
		return fmt.Sprintf("%q", v)
	default:
		return fmt.Sprint(v)
	}
}

func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Float32, reflect.Float64:
		return "a number"
	default:
		return "a whole number (" + t.Kind().String() + ")"
	}
}
