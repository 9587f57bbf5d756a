package cdp

import "bytes"

// envelope is a message taken apart. Its slices point into the message.
type envelope struct {
	id      int64 // 0 when there is none
	method  []byte
	session []byte
	body    []byte // params or result
	fault   []byte // error
}

func (e *envelope) isReply() bool  { return e.id != 0 }
func (e *envelope) isEvent() bool  { return e.id == 0 && len(e.method) != 0 }
func (e *envelope) isStray() bool  { return e.id == 0 && len(e.method) == 0 && e.fault != nil }
func (e *envelope) isFailed() bool { return e.fault != nil }

func (e *envelope) equal(o *envelope) bool {
	return e.id == o.id &&
		bytes.Equal(e.method, o.method) &&
		bytes.Equal(e.session, o.session) &&
		bytes.Equal(e.body, o.body) &&
		bytes.Equal(e.fault, o.fault)
}
