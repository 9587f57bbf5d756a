package cdp

import "encoding/json"

// CallOption changes one Call.
type CallOption func(*callOptions)

type callOptions struct {
	admit   func(*Command) error
	control bool
	late    func(json.RawMessage, error)
}

// WithAdmit lets f judge the command when its turn to be written has come: an
// error refuses it and is what the call's *CallError (Sent false) unwraps to,
// nil sends it. f may replace the command's fields, but must not change the
// bytes of Params in place. It runs on the writer goroutine, so every other
// command waits for it: it must neither block nor use the Conn.
func WithAdmit(f func(*Command) error) CallOption {
	return func(o *callOptions) { o.admit = f }
}

// WithControl sends the command on the control lane, ahead of everything on the
// normal lane. WithAdmit has no effect on it.
func WithControl() CallOption {
	return func(o *callOptions) { o.control = true }
}

// WithLate calls f, once and on the reader goroutine, when the reply comes after
// the caller has given up, so that what the command made can be undone. f gets
// what Call would have returned and must not block. It is not called when the
// reply never comes: what the connection or session has made ends with it.
func WithLate(f func(json.RawMessage, error)) CallOption {
	return func(o *callOptions) { o.late = f }
}
