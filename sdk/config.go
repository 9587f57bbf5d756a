package sdk

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"cdphost/sdk/internal/config"
)

// ConfigError is one thing that is wrong with a plugin's configuration. The host
// shows it with the file and line of Path.
type ConfigError struct {
	// Path is the key below the plugin's config, as in "rules[2].do".
	Path    string
	Message string
	// Allowed lists the values that would be right, when they can be listed.
	Allowed []string
}

// Error returns "path: message (allowed: ...)".
func (e *ConfigError) Error() string {
	var b strings.Builder
	if e.Path != "" {
		b.WriteString(e.Path + ": ")
	}
	b.WriteString(e.Message)
	if len(e.Allowed) > 0 {
		fmt.Fprintf(&b, " (allowed: %s)", strings.Join(e.Allowed, ", "))
	}
	return b.String()
}

// OneOf returns a *ConfigError when value is none of allowed, and nil otherwise.
func OneOf(path, value string, allowed ...string) error {
	for _, a := range allowed {
		if value == a {
			return nil
		}
	}
	return &ConfigError{Path: path, Message: fmt.Sprintf("%q is not known", value), Allowed: allowed}
}

// decodeConfig fills a copy of defaults from data and validates it.
func decodeConfig[C any](data, encoded []byte, defaults C) (C, error) {
	out := defaults
	// Maps and slices of defaults are shared between calls, so they are copied
	// by way of their encoding where it is lossless.
	var fresh C
	if len(encoded) > 0 && json.Unmarshal(encoded, &fresh) == nil {
		if again, err := json.Marshal(fresh); err == nil && string(again) == string(encoded) {
			out = fresh
		}
	}
	if problems := config.Decode(data, &out); len(problems) > 0 {
		errs := make([]error, len(problems))
		for i, p := range problems {
			errs[i] = &ConfigError{Path: p.Path, Message: p.Message, Allowed: p.Allowed}
		}
		return out, errors.Join(errs...)
	}
	if v, ok := any(&out).(interface{ Validate() error }); ok {
		if err := v.Validate(); err != nil {
			return out, err
		}
	}
	return out, nil
}

// configErrors collects the ConfigErrors in err's tree; an error that holds none
// becomes one without a path.
func configErrors(err error) []*ConfigError {
	var out []*ConfigError
	var walk func(error)
	walk = func(err error) {
		switch e := err.(type) { //nolint:errorlint // the tree is walked node by node
		case nil:
		case *ConfigError:
			out = append(out, e)
		case interface{ Unwrap() []error }:
			for _, child := range e.Unwrap() {
				walk(child)
			}
		default:
			if inner := errors.Unwrap(err); inner != nil {
				walk(inner)
			}
		}
	}
	walk(err)
	if len(out) == 0 && err != nil {
		out = append(out, &ConfigError{Message: err.Error()})
	}
	return out
}
