package config

import (
	"crypto/subtle"
	"fmt"
	"io"
	"log/slog"
)

const redacted = "[redacted]"

// Secret is a string that no formatting, logging or encoding prints. The zero
// value is the empty secret. It is immutable and safe for concurrent use.
type Secret struct {
	// A pointer, because fmt prints the fields of a struct that it can't call
	// methods on, and of a pointer only the address.
	value   *string
	missing string
}

// NewSecret makes a secret of s.
func NewSecret(s string) Secret {
	if s == "" {
		return Secret{}
	}
	return Secret{value: &s}
}

// Reveal returns the secret itself, for the one place that sends it.
func (s Secret) Reveal() string {
	if s.value == nil {
		return ""
	}
	return *s.value
}

// IsZero reports whether the secret is empty.
func (s Secret) IsZero() bool { return s.value == nil }

// Missing returns the name of an environment variable that the configuration
// asked for and that is not set, else "". The secret is then empty or has a gap,
// which is not the same as "no secret wanted": refuse what it protects.
func (s Secret) Missing() string { return s.missing }

// Equal compares in constant time.
func (s Secret) Equal(o Secret) bool {
	return s.missing == o.missing && subtle.ConstantTimeCompare([]byte(s.Reveal()), []byte(o.Reveal())) == 1
}

// String returns "[redacted]", and "" for the empty secret.
func (s Secret) String() string {
	if s.IsZero() {
		return ""
	}
	return redacted
}

// GoString is String in quotes.
func (s Secret) GoString() string { return fmt.Sprintf("config.Secret(%q)", s.String()) }

// Format writes String for every verb.
func (s Secret) Format(f fmt.State, verb rune) {
	if verb == 'v' && f.Flag('#') {
		_, _ = io.WriteString(f, s.GoString())
		return
	}
	_, _ = io.WriteString(f, s.String())
}

// MarshalText is String; encoding/json uses it too.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// MarshalYAML is String.
func (s Secret) MarshalYAML() (any, error) { return s.String(), nil }

// LogValue is String.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }
