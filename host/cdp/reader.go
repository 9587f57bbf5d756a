package cdp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
)

// giveAway is the size of a result, in bytes, from which the read buffer goes to
// the caller instead of a copy.
const giveAway = 64 << 10

// read is the reader goroutine.
func (c *Conn) read() {
	var e envelope
	for {
		r, err := c.transport.Reader(context.Background())
		if err != nil {
			c.Abort(fmt.Errorf("read: %w", err))
			return
		}
		msg, skipped, err := c.in.next(r)
		if err != nil {
			c.Abort(fmt.Errorf("read: %w", err))
			return
		}
		if skipped != nil {
			c.onSkipped(skipped)
			continue
		}
		c.count.received.Add(1)
		c.count.bytesIn.Add(uint64(len(msg)))
		c.dispatch(msg, &e)
	}
}

// dispatch hands one message on. e is room to work in.
func (c *Conn) dispatch(msg []byte, e *envelope) {
	switch {
	case !c.dec.decode(msg, e):
		c.count.malformed.Add(1)
		c.log.Warn("message is not CDP, dropped", "bytes", len(msg))
	case e.isEvent():
		c.count.events.Add(1)
		c.handle(Event{
			SessionID: c.dec.sessions.name(e.session),
			Method:    c.dec.methods.name(e.method),
			Params:    e.body,
		})
	case e.isReply():
		c.onReply(e)
	default:
		c.count.unmatched.Add(1)
		c.log.Warn("the browser could not read a command", "error", decodeError(e.fault))
	}
}

func (c *Conn) onReply(e *envelope) {
	k, gone := c.claim(e.id)
	if k == nil {
		return
	}
	c.count.replies.Add(1)
	if e.isFailed() {
		c.answer(k, gone, nil, decodeError(e.fault))
		return
	}
	c.answer(k, gone, c.own(e.body), nil)
}

func (c *Conn) onSkipped(s *skipped) {
	c.count.oversized.Add(1)
	id, method := s.identify()
	c.log.Warn("message over the read limit, skipped", "bytes", s.size, "limit", c.opts.ReadLimit, "id", id, "method", method)
	if id == 0 {
		return
	}
	if k, gone := c.claim(id); k != nil {
		c.answer(k, gone, nil, fmt.Errorf("%w: %d bytes, limit %d", ErrReplyTooBig, s.size, c.opts.ReadLimit))
	}
}

// claim settles the call that a reply is for. gone says that its caller has
// given up. It returns nil when nobody waits for the reply.
func (c *Conn) claim(id int64) (k *call, gone bool) {
	c.mu.Lock()
	k, known := c.calls[id], id <= c.lastID
	if k == nil || k.state == queued {
		c.mu.Unlock()
		if known && k == nil {
			c.count.late.Add(1)
		} else {
			c.count.unmatched.Add(1)
		}
		return nil, false
	}
	gone = k.state == givenUp
	k.state = settled
	delete(c.calls, id)
	c.mu.Unlock()
	if gone {
		c.count.late.Add(1)
	}
	return k, gone
}

// answer gives k its outcome. k is settled, so its fields no longer change.
func (c *Conn) answer(k *call, gone bool, result json.RawMessage, err error) {
	if err != nil {
		err = k.cmd.failed(true, err)
	}
	switch {
	case gone:
		_ = c.contain("WithLate of "+k.cmd.Method, func() { k.late(result, err) })
	case !k.posted():
		k.reply <- outcome{result, err}
	case k.post != nil:
		_ = c.contain("Post reply of "+k.cmd.Method, func() { k.post(k.index, result, err) })
	}
}

// own returns body as the receiver's own: a copy, or, when it is most of a large
// buffer, the buffer.
func (c *Conn) own(body []byte) json.RawMessage {
	if len(body) < giveAway || len(body) < len(c.in.buf)/2 {
		return bytes.Clone(body)
	}
	c.in.release()
	return body
}

// decodeError never fails: what it can't read becomes the message.
func decodeError(fault []byte) *Error {
	var wire struct {
		Code    int64           `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(fault, &wire); err != nil {
		return &Error{Message: string(fault)}
	}
	e := &Error{Code: wire.Code, Message: wire.Message}
	if wire.Data != nil && json.Unmarshal(wire.Data, &e.Data) != nil {
		e.Data = string(wire.Data)
	}
	return e
}
