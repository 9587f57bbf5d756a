// Package fault is the one vocabulary of errors that agents, plugins and the
// host share: a small set of codes and an error that carries one of them with a
// text that says what to do next.
//
// Values are immutable after they are made and safe for concurrent use.
package fault

import (
	"errors"
	"fmt"
	"maps"
)

// Error is an error with a Code. Message is a whole sentence for a person or a
// model and must not hold secrets; Details are machine-readable extras.
type Error struct {
	Code    Code           `json:"code"`
	Message string         `json:"message"`
	Details map[string]any `json:"details,omitempty"`

	cause error
}

// New makes an Error with a formatted message.
func New(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Wrap makes an Error that unwraps to cause. The cause's text is not added to
// the message, because causes may quote what must not be shown.
func Wrap(cause error, code Code, format string, args ...any) *Error {
	e := New(code, format, args...)
	e.cause = cause
	return e
}

// Error returns "code: message".
func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Unwrap returns the cause given to Wrap, or nil.
func (e *Error) Unwrap() error { return e.cause }

// Is reports whether target is e's Code, or an Error with the same Code.
func (e *Error) Is(target error) bool {
	switch t := target.(type) { // the target itself is compared, as errors.Is asks
	case Code:
		return e.Code == t
	case *Error:
		return e.Code == t.Code
	}
	return false
}

// With returns a copy of e that has key set to v in its Details.
func (e *Error) With(key string, v any) *Error {
	c := *e
	c.Details = maps.Clone(e.Details)
	if c.Details == nil {
		c.Details = make(map[string]any, 1)
	}
	c.Details[key] = v
	return &c
}

// CodeOf returns the Code of the first Error in err's chain, "" for nil and
// InternalError for an error that carries none.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return InternalError
}
