package cdp

import (
	"fmt"
	"runtime/debug"
)

// contain runs a callback of the user's and turns its panic into a log entry, a
// count and an error, because one bad callback must not end the connection.
func (c *Conn) contain(what string, f func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = c.panicked(what, p)
		}
	}()
	f()
	return nil
}

// handle is contain for the event handler, without a closure for each event.
func (c *Conn) handle(ev Event) {
	defer func() {
		if p := recover(); p != nil {
			_ = c.panicked("handler of "+ev.Method, p)
		}
	}()
	c.opts.Handler(ev)
}

func (c *Conn) panicked(what string, p any) error {
	c.count.panics.Add(1)
	c.log.Error("panic contained", "in", what, "panic", p, "stack", string(debug.Stack()))
	return fmt.Errorf("%w: %s: %v", errPanic, what, p)
}
