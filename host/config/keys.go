package config

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Key is what the code says of one key of config.yaml.
type Key struct {
	// Path is the key's full name; <name> stands for an entry's name.
	Path string
	// Type is the value's type in words.
	Type string
	// Default is the built-in value as YAML, and "" for mappings and for keys of
	// entries that have none.
	Default string
	// Allowed lists the values of an enumeration.
	Allowed []string
	// Range says which numbers are right, or is "".
	Range string
	// Form says which strings are right, for each element of a list, or is "".
	Form string
	// Struct and Field name the Go declaration whose comment documents the key.
	Struct, Field string
}

// Keys returns every key of config.yaml in the order of the Config type.
func Keys() []Key {
	var keys []Key
	walk(reflect.ValueOf(Defaults()).Elem(), "", "", func(k Key) { keys = append(keys, k) })
	return keys
}

// walk visits the keys of the struct v; inherited is the format of strings that
// have none of their own.
func walk(v reflect.Value, path, inherited string, visit func(Key)) {
	for _, f := range fieldsOf(v.Type()) {
		if f.format == "" {
			f.format = inherited
		}
		at, child := join(path, f.name), v.Field(f.index)
		form := formats[f.format].what
		if f.typ.Kind() == reflect.Struct {
			form = "" // its keys say it
		}
		visit(Key{
			Path: at, Type: typeText(f), Default: defaultText(child, f), Allowed: allowed(f.typ),
			Range: f.rangeText(), Form: form, Struct: v.Type().Name(), Field: v.Type().Field(f.index).Name,
		})
		switch {
		case f.typ == secretType:
		case f.typ.Kind() == reflect.Struct:
			walk(child, at, f.format, visit)
		case f.typ.Kind() == reflect.Map && f.typ.Elem().Kind() == reflect.Struct:
			entry := reflect.New(f.typ.Elem())
			if e, ok := entry.Interface().(interface{ setDefaults(name string) }); ok {
				e.setDefaults("")
			}
			walk(entry.Elem(), at+".<name>", "", visit)
		}
	}
}

func typeText(f field) string {
	switch f.typ {
	case durationType:
		return unitNames[f.unit]
	case secretType:
		return "string, secret"
	case treeType:
		return "mapping"
	}
	switch f.typ.Kind() { //nolint:exhaustive // the kinds that Config has
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "whole number"
	case reflect.Slice:
		return "list of strings"
	case reflect.Map, reflect.Struct:
		return "mapping"
	}
	return "string"
}

func defaultText(v reflect.Value, f field) string {
	switch value := v.Interface().(type) {
	case Secret:
		if name := value.Missing(); name != "" {
			return strconv.Quote("${" + name + "}")
		}
		return `""`
	case time.Duration:
		if value == 0 && f.min.exclusive {
			return ""
		}
		return strconv.FormatFloat(float64(value)/float64(unitDurations[f.unit]), 'f', -1, 64)
	case []string:
		if value == nil {
			return "[]"
		}
		text, err := json.Marshal(value)
		if err != nil {
			return ""
		}
		return string(text)
	case string:
		if value == "" {
			return `""`
		}
		return value
	}
	switch v.Kind() { //nolint:exhaustive // the rest are mappings
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Int, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.String:
		if v.String() == "" && slices.Contains(allowed(v.Type()), "") {
			return `""`
		}
		return v.String()
	}
	return ""
}

func allowed(t reflect.Type) []string {
	if e, ok := reflect.Zero(t).Interface().(enum); ok {
		return e.values()
	}
	return nil
}

// elsewhere returns the full name of a key that is called name in some section,
// or "".
func elsewhere(name string) (path string) {
	walk(reflect.ValueOf(&Config{}).Elem(), "", "", func(k Key) {
		if path == "" && strings.HasSuffix(k.Path, "."+name) {
			path = k.Path
		}
	})
	return path
}
