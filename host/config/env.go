package config

import (
	"errors"
	"fmt"
	"strings"
)

// UnsetEnv is a ${NAME} of the configuration whose variable is not set, so that
// the value is empty or has a gap.
type UnsetEnv struct {
	// Name is the variable's.
	Name string
	// Path is the key's full name.
	Path string
	// Pos is where the value stands.
	Pos Position
}

// String says it in one clause.
func (u UnsetEnv) String() string {
	return fmt.Sprintf("%s: %s: ${%s} is not set", u.Pos, u.Path, u.Name)
}

var errBadReference = errors.New("has ${ that begins no ${NAME}; write $${ for the characters themselves")

// expand replaces ${NAME} by the variable's value and $${ by ${. It returns the
// first variable that is not set, if any.
func expand(s string, lookup func(string) (string, bool)) (out, unset string, err error) {
	var b strings.Builder
	for {
		i := strings.Index(s, "${")
		if i < 0 {
			b.WriteString(s)
			return b.String(), unset, nil
		}
		if i > 0 && s[i-1] == '$' {
			b.WriteString(s[:i-1] + "${")
			s = s[i+2:]
			continue
		}
		b.WriteString(s[:i])
		name, rest, closed := strings.Cut(s[i+2:], "}")
		if !closed || !isEnvName(name) {
			return "", "", errBadReference
		}
		value, ok := lookup(name)
		if !ok && unset == "" {
			unset = name
		}
		b.WriteString(value)
		s = rest
	}
}

// isEnvName reports whether s is letters, digits and _, and no digit first.
func isEnvName(s string) bool {
	for i, r := range s {
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}
