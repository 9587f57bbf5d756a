package config

import (
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"
)

// field is what the struct tags of a Config field say about a key.
type field struct {
	name   string
	index  int
	typ    reflect.Type
	format string // names an entry of formats; inherited by elements
	needed bool   // may not be empty
	secret string // the key beside this one that the named file fills
	unit   string // of a time.Duration: ms, s, m
	min    bound
	max    bound
}

// bound is a limit of a number; the zero value is no limit.
type bound struct {
	set       bool
	exclusive bool
	value     float64
}

func (b bound) String() string { return strconv.FormatFloat(b.value, 'f', -1, 64) }

var fieldCache sync.Map // reflect.Type -> []field

// fieldsOf returns the keys of a struct type in the order of its fields.
func fieldsOf(t reflect.Type) []field {
	if known, ok := fieldCache.Load(t); ok {
		return known.([]field) //nolint:forcetypeassert // only this function stores
	}
	var fields []field
	for i := range t.NumField() {
		sf := t.Field(i)
		name := sf.Tag.Get("yaml")
		if name == "" || name == "-" {
			continue
		}
		fields = append(fields, field{
			name: name, index: i, typ: sf.Type,
			format: sf.Tag.Get("format"), secret: sf.Tag.Get("secret"), needed: sf.Tag.Get("needed") != "", unit: sf.Tag.Get("unit"),
			min: parseBound(sf.Tag.Get("min")), max: parseBound(sf.Tag.Get("max")),
		})
	}
	fieldCache.Store(t, fields)
	return fields
}

func parseBound(tag string) bound {
	if tag == "" {
		return bound{}
	}
	number, exclusive := strings.CutPrefix(tag, ">")
	v, err := strconv.ParseFloat(number, 64)
	if err != nil {
		panic("config: bad bound in a struct tag: " + tag)
	}
	return bound{set: true, exclusive: exclusive, value: v}
}

// element returns what holds for the elements of a list or map.
func (f field) element(t reflect.Type) field {
	return field{typ: t, format: f.format, needed: f.format != ""}
}

// rangeText says in words which numbers are right, or "".
func (f field) rangeText() string {
	switch {
	case f.min.set && f.max.set && f.min.exclusive:
		return "more than " + f.min.String() + ", at most " + f.max.String()
	case f.min.set && f.max.set:
		return f.min.String() + " to " + f.max.String()
	case f.min.set && f.min.exclusive:
		return "more than " + f.min.String()
	case f.min.set:
		return "at least " + f.min.String()
	case f.max.set:
		return "at most " + f.max.String()
	}
	return ""
}

func (f field) inRange(v float64) bool {
	if f.min.set && (v < f.min.value || f.min.exclusive && v == f.min.value) {
		return false
	}
	return !f.max.set || v <= f.max.value
}

var unitDurations = map[string]time.Duration{"ms": time.Millisecond, "s": time.Second, "m": time.Minute}

var unitNames = map[string]string{"ms": "milliseconds", "s": "seconds", "m": "minutes"}
