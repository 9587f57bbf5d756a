package cdp

import (
	"cmp"
	"slices"
)

// failure is a settled call that gets no answer.
type failure struct {
	call *call
	sent bool
	err  error
}

// FailSession ends every call of a session that went away, because the browser
// often never answers them: those sent with ErrNoReply, those still queued with
// ErrNotSent, both unwrapping to err (ErrSessionGone when nil). Calls made after
// it are sent, and it is for the browser to refuse them. It does not block and
// may be called from the handler.
func (c *Conn) FailSession(sessionID string, err error) {
	if err == nil {
		err = ErrSessionGone
	}
	c.mu.Lock()
	failed := c.take(func(k *call) bool { return k.cmd.SessionID == sessionID })
	c.mu.Unlock()
	c.fail(failed, err)
}

// take settles the calls that match and returns those that somebody waits for,
// in the order of their ids. It needs mu.
func (c *Conn) take(match func(*call) bool) []failure {
	var taken []failure
	for id, k := range c.calls {
		if !match(k) {
			continue
		}
		if k.state != givenUp {
			taken = append(taken, failure{call: k, sent: k.state == sent})
		}
		k.state = settled
		delete(c.calls, id)
	}
	slices.SortFunc(taken, func(a, b failure) int { return cmp.Compare(a.call.id, b.call.id) })
	return taken
}

func (c *Conn) fail(failed []failure, err error) {
	for i := range failed {
		failed[i].err = err
	}
	c.deliver(failed)
}

// deliver tells the waiting callers at once, and the callbacks of Post on a
// goroutine of their own.
func (c *Conn) deliver(failed []failure) {
	for _, f := range failed {
		k, err := f.call, f.call.cmd.failed(f.sent, f.err)
		switch {
		case !k.posted():
			k.reply <- outcome{err: err}
		case k.post != nil:
			c.callbacks.add(func() {
				_ = c.contain("Post reply of "+k.cmd.Method, func() { k.post(k.index, nil, err) })
			})
		}
	}
}
