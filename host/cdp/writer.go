package cdp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"time"
	"unsafe"
)

// keepBuffer is the largest read or write buffer kept for the next message, in
// bytes.
const keepBuffer = 1 << 20

// write is the writer goroutine.
func (c *Conn) write() {
	for k := c.nextCall(); k != nil; k = c.nextCall() {
		if c.prepare(k) {
			c.transmit()
		}
	}
}

// nextCall waits for the next call in turn. It returns nil when the connection
// has ended.
func (c *Conn) nextCall() *call {
	for {
		c.mu.Lock()
		k := c.control.pop()
		if k == nil {
			k = c.normal.pop()
		}
		c.mu.Unlock()
		if k != nil {
			return k
		}
		select {
		case <-c.wake:
		case <-c.done:
			return nil
		}
	}
}

func (c *Conn) wakeWriter() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// prepare puts k's message into out and marks k as sent. It reports false when
// k is not to be sent.
func (c *Conn) prepare(k *call) bool {
	cmd := k.cmd
	counter, err := c.admit(k, &cmd)

	c.mu.Lock()
	if k.state != queued {
		c.mu.Unlock()
		return false
	}
	if err == nil {
		k.cmd = cmd
		k.state = sent
		c.mu.Unlock()
		return true
	}
	k.state = settled
	delete(c.calls, k.id)
	c.mu.Unlock()

	if counter != nil {
		counter.Add(1)
	}
	c.deliver([]failure{{call: k, err: err}})
	return false
}

// admit encodes k's command and, last of all, lets the caller judge it. With an
// error it returns what counts those, if anything does.
func (c *Conn) admit(k *call, cmd *Command) (counter *atomic.Uint64, err error) {
	if err := k.expired(); err != nil {
		return &c.count.expired, err
	}
	if err := c.encode(k, cmd); err != nil || k.callOptions.admit == nil || k.control {
		return nil, err
	}
	if err := c.judge(k, cmd); err != nil {
		return &c.count.refused, err
	}
	if !cmd.same(&k.cmd) {
		if err := cmd.check(); err != nil {
			return nil, err
		}
		if err := c.encode(k, cmd); err != nil {
			return nil, err
		}
	}
	if err := k.expired(); err != nil {
		return &c.count.expired, err
	}
	return nil, nil
}

// judge runs the function of WithAdmit.
func (c *Conn) judge(k *call, cmd *Command) error {
	var refusal error
	if err := c.contain("WithAdmit of "+cmd.Method, func() { refusal = k.callOptions.admit(cmd) }); err != nil {
		return err
	}
	return refusal
}

func (c *Conn) encode(k *call, cmd *Command) error {
	c.out = cmd.append(c.out[:0], k.id)
	if n := int64(len(c.out)); n > c.opts.WriteLimit {
		return fmt.Errorf("%w: %d bytes, limit %d", ErrCommandTooBig, n, c.opts.WriteLimit)
	}
	return nil
}

// same reports whether two commands share their fields and the bytes of Params.
func (cmd *Command) same(o *Command) bool {
	return cmd.Method == o.Method && cmd.SessionID == o.SessionID &&
		len(cmd.Params) == len(o.Params) && unsafe.SliceData(cmd.Params) == unsafe.SliceData(o.Params)
}

// transmit writes out. Its error ends the connection, because nobody knows how
// much of the message has left.
func (c *Conn) transmit() {
	n := len(c.out)
	if err := c.writeInTime(c.opts.WriteTimeout + time.Duration(n>>20)*time.Second); err != nil {
		if errors.Is(err, net.ErrClosed) {
			c.awaitReader()
		}
		c.Abort(fmt.Errorf("write: %w", err))
		return
	}
	c.count.sent.Add(1)
	c.count.bytesOut.Add(uint64(n))
	if cap(c.out) > keepBuffer {
		c.out = nil
	}
}

// writeInTime ends the connection itself when the time is over: were it left to
// a context, the transport's end could reach the reader before its cause.
func (c *Conn) writeInTime(patience time.Duration) error {
	aborted := make(chan struct{})
	timer := time.AfterFunc(patience, func() {
		defer close(aborted)
		c.Abort(fmt.Errorf("%w after %v", ErrWriteTimeout, patience))
	})
	err := c.transport.Write(context.Background(), c.out)
	if !timer.Stop() {
		<-aborted
	}
	return err
}

// awaitReader leaves the reader time to say why the transport has ended, for
// example with the peer's close code, when all that the writer knows is that
// it has.
func (c *Conn) awaitReader() {
	timer := time.NewTimer(time.Second)
	defer timer.Stop()
	select {
	case <-c.done:
	case <-timer.C:
	}
}
