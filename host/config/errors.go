package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cdphost/sdk/fault"
)

// Error is one mistake of a configuration file.
type Error struct {
	// Pos is where the mistake stands.
	Pos Position `json:"pos"`
	// Path is the key's full name, such as toolsets.core.tools[2].
	Path string `json:"path,omitempty"`
	// Problem says what is wrong.
	Problem string `json:"problem"`
	// Suggestion is the name that was probably meant, or "".
	Suggestion string `json:"suggestion,omitempty"`
	// Allowed lists what would be right, or is empty when that is no list.
	Allowed []string `json:"allowed,omitempty"`
}

// Error returns one line: place, key, problem, suggestion, allowed values.
func (e *Error) Error() string {
	var b strings.Builder
	for _, part := range []string{e.Pos.String(), e.Path} {
		if part != "" {
			b.WriteString(part)
			b.WriteString(": ")
		}
	}
	b.WriteString(e.Problem)
	if e.Suggestion != "" {
		fmt.Fprintf(&b, " (did you mean %q?)", e.Suggestion)
	}
	if len(e.Allowed) > 0 {
		b.WriteString("; allowed: ")
		for i, a := range e.Allowed {
			if i > 0 {
				b.WriteString(", ")
			}
			if a == "" {
				a = strconv.Quote(a)
			}
			b.WriteString(a)
		}
	}
	return b.String()
}

// Is makes errors.Is(err, fault.ConfigInvalid) true.
func (e *Error) Is(target error) bool { return target == error(fault.ConfigInvalid) }

// ErrorList is all mistakes of a configuration, in the order of the file.
type ErrorList []*Error

// Error returns one line for each mistake.
func (l ErrorList) Error() string {
	lines := make([]string, len(l))
	for i, e := range l {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives errors.Is and errors.As the single mistakes.
func (l ErrorList) Unwrap() []error {
	out := make([]error, len(l))
	for i, e := range l {
		out[i] = e
	}
	return out
}

// Is makes errors.Is(err, fault.ConfigInvalid) true.
func (l ErrorList) Is(target error) bool { return target == error(fault.ConfigInvalid) }

// err returns the list sorted by place, or nil when it is empty.
func (l ErrorList) err() error {
	if len(l) == 0 {
		return nil
	}
	slices.SortStableFunc(l, func(a, b *Error) int {
		if a.Pos.Line != b.Pos.Line {
			return a.Pos.Line - b.Pos.Line
		}
		return a.Pos.Column - b.Pos.Column
	})
	return l
}
