package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"

	"cdphost/sdk/fault"
)

// decode reads the arguments of a call into *v, a struct. Unknown names, wrong
// types and trailing data are fault.InvalidArgument with the name at fault.
func decode(args json.RawMessage, v any) error {
	if len(bytes.TrimSpace(args)) == 0 {
		args = json.RawMessage("{}")
	}
	dec := json.NewDecoder(bytes.NewReader(args))
	dec.DisallowUnknownFields()
	err := dec.Decode(v)
	if err == nil {
		if _, err := dec.Token(); !errors.Is(err, io.EOF) {
			return fault.New(fault.InvalidArgument, "The arguments must be one JSON object.")
		}
		return nil
	}
	if te, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if te.Field == "" {
			return fault.New(fault.InvalidArgument, "The arguments must be a JSON object, not %s.", te.Value)
		}
		return fault.New(fault.InvalidArgument, "%s must be %s, not %s.", te.Field, kindName(te.Type), te.Value).
			With("argument", te.Field)
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		name = strings.Trim(name, `"`)
		return fault.New(fault.InvalidArgument, "There is no argument %q; the arguments are %s.",
			name, strings.Join(fieldNames(v), ", ")).With("argument", name)
	}
	return fault.New(fault.InvalidArgument, "The arguments are not valid JSON.")
}

func fieldNames(v any) []string {
	t := reflect.TypeOf(v).Elem()
	var names []string
	for f := range t.Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func kindName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Slice:
		return "a list"
	case reflect.Pointer:
		return kindName(t.Elem())
	default:
		return "an object"
	}
}
