package cdptest

import (
	"encoding/json"
	"fmt"
)

// Request is a command that the mock received.
type Request struct {
	Seq       int // place among all commands received, from 1
	Conn      int // which socket it came on, counted from 1 in the order in which they connected
	ID        int64
	SessionID string // empty: the browser's session
	Method    string
	Params    json.RawMessage

	conn *conn
}

// Get returns the value at a dotted path of the params, see [Field].
func (r *Request) Get(path string) string { return Field(r.Params, path) }

// Answer sends the answer to a command for which a handler returned [NoReply].
func (r *Request) Answer(reply Reply) { r.conn.out.put(replyMessage(r.ID, r.SessionID, reply)) }

// decode reads the params into v.
func (r *Request) decode(v any) *Error {
	if len(r.Params) == 0 {
		return nil
	}
	if err := json.Unmarshal(r.Params, v); err != nil {
		return &Error{Code: -32602, Message: "Invalid parameters", Data: err.Error()}
	}
	return nil
}

// Reply is the mock's answer to a command.
type Reply struct {
	Result any // encoded as JSON; a json.RawMessage goes out as it is, nil as {}
	Err    *Error

	kind replyKind
}

type replyKind int

const (
	replyNow replyKind = iota
	replyNever
	replyDefault
)

var (
	// NoReply leaves a command without an answer, for ever or until [Request.Answer].
	NoReply = Reply{kind: replyNever}
	// Default lets the model answer.
	Default = Reply{kind: replyDefault}
)

// Result returns a successful reply.
func Result(v any) Reply { return Reply{Result: v} }

// Refuse returns a CDP error as a reply.
func Refuse(code int64, format string, args ...any) Reply {
	return Reply{Err: &Error{Code: code, Message: fmt.Sprintf(format, args...)}}
}
