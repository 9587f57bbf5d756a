package cdp

import (
	"errors"
	"fmt"
)

var (
	// ErrClosed is in the chain of every error that the end of the connection
	// caused. A new connection is needed.
	ErrClosed = errors.New("cdp: connection closed")

	// ErrNotSent matches a *CallError whose command did not leave; it is safe
	// to try again.
	ErrNotSent = errors.New("cdp: command not sent")

	// ErrNoReply matches a *CallError whose command left but was not
	// answered; the browser may have carried it out.
	ErrNoReply = errors.New("cdp: command sent, no reply")

	// ErrSessionGone is the usual reason given to FailSession.
	ErrSessionGone = errors.New("cdp: session gone")

	// ErrReplyTooBig says that the reply was longer than Options.ReadLimit and
	// was skipped. The command was carried out.
	ErrReplyTooBig = errors.New("cdp: reply over the read limit")

	// ErrCommandTooBig says that the command was longer than
	// Options.WriteLimit.
	ErrCommandTooBig = errors.New("cdp: command over the write limit")

	// ErrInvalidCommand says that a command has no method, or params that are
	// not one JSON object.
	ErrInvalidCommand = errors.New("cdp: invalid command")

	// ErrWriteTimeout is in the chain of the connection's error when the peer
	// took no data for Options.WriteTimeout.
	ErrWriteTimeout = errors.New("cdp: write timed out")

	errPanic = errors.New("cdp: panic in a callback")
)

// Error is the browser's answer to a command that it refused or that failed.
type Error struct {
	Code    int64  `json:"code"`
	Message string `json:"message"`
	Data    string `json:"data,omitempty"`
}

func (e *Error) Error() string {
	if e.Data == "" {
		return fmt.Sprintf("%s (%d)", e.Message, e.Code)
	}
	return fmt.Sprintf("%s: %s (%d)", e.Message, e.Data, e.Code)
}

// CallError says how a call failed. It unwraps to the reason: an *Error, the
// context's error, the error of WithAdmit as it was, ErrReplyTooBig, the error
// given to FailSession, or one with ErrClosed in its chain.
type CallError struct {
	Method    string
	SessionID string
	Sent      bool // the command left, or may have
	Err       error
}

func (e *CallError) Error() string {
	switch {
	case !e.Sent:
		return e.Method + ": not sent: " + e.Err.Error()
	case e.answered():
		return e.Method + ": " + e.Err.Error()
	default:
		return e.Method + ": sent, no reply: " + e.Err.Error()
	}
}

func (e *CallError) Unwrap() error { return e.Err }

// Is matches ErrNotSent and ErrNoReply. An answer that arrived, also one that
// was too big to read, matches neither.
func (e *CallError) Is(target error) bool {
	switch target {
	case ErrNotSent:
		return !e.Sent
	case ErrNoReply:
		return e.Sent && !e.answered()
	}
	return false
}

func (e *CallError) answered() bool {
	var answer *Error
	return errors.As(e.Err, &answer) || errors.Is(e.Err, ErrReplyTooBig)
}
