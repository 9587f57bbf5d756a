package cdp

import (
	"context"
	"encoding/json"
)

// Call sends cmd and waits for its reply: until ctx ends, or without limit when
// ctx has neither deadline nor cancel. The result is the caller's to keep.
//
// Every error is a *CallError: see there what it unwraps to, and ErrNotSent and
// ErrNoReply for whether the command left. Once the connection has ended, Call
// fails at once.
//
// Call must not be used on the reader goroutine (the handler, a WithLate
// function, a Post reply), which would have to read the reply that it waits for.
func (c *Conn) Call(ctx context.Context, cmd Command, opts ...CallOption) (json.RawMessage, error) {
	k := &call{cmd: cmd, ctx: ctx, reply: make(chan outcome, 1)}
	for _, o := range opts {
		o(&k.callOptions)
	}
	if err := cmd.check(); err != nil {
		return nil, cmd.failed(false, err)
	}
	if err := k.expired(); err != nil {
		return nil, cmd.failed(false, err)
	}
	if err := c.enqueue(k); err != nil {
		return nil, cmd.failed(false, err)
	}
	select {
	case o := <-k.reply:
		return o.result, o.err
	case <-ctx.Done():
		return c.giveUp(k)
	}
}

// enqueue gives k its id and its place in its lane.
func (c *Conn) enqueue(k *call) error {
	c.mu.Lock()
	err := c.err
	if err == nil {
		c.register(k)
	}
	c.mu.Unlock()
	c.wakeWriter()
	return err
}

// register needs mu.
func (c *Conn) register(k *call) {
	c.lastID++
	k.id = c.lastID
	c.calls[k.id] = k
	if k.control {
		c.control.push(k)
	} else {
		c.normal.push(k)
	}
}

// giveUp ends k because its context has, unless its outcome came first.
func (c *Conn) giveUp(k *call) (json.RawMessage, error) {
	c.mu.Lock()
	was := k.state
	switch {
	case was == settled:
		c.mu.Unlock()
		o := <-k.reply
		return o.result, o.err
	case was == sent && k.late != nil:
		k.state = givenUp
	default:
		k.state = settled
		delete(c.calls, k.id)
	}
	cmd := k.cmd
	c.mu.Unlock()
	if was == queued {
		c.count.expired.Add(1)
	}
	return nil, cmd.failed(was == sent, contextError(k.ctx))
}
