package cdp

import "encoding/json"

// postFunc takes the outcome of the command with index i in a burst.
type postFunc = func(i int, result json.RawMessage, err error)

// Post queues cmds on the control lane as one burst: they leave in order, with
// nothing between them. It never blocks and may be called from the handler.
//
// reply, if not nil, is called once for each command, with what Call would have
// returned: on the reader goroutine for an answer, in the order of answers and
// events; on a goroutine of the Conn when there is none because the command was
// invalid or the session or connection ended. It is never called by Post itself
// or by FailSession, so both may be used with a lock held that reply needs. It
// must not block. A command waits for its answer without limit.
func (c *Conn) Post(cmds []Command, reply func(i int, result json.RawMessage, err error)) {
	if len(cmds) == 0 {
		return
	}
	calls := make([]call, len(cmds))
	invalid := make([]error, len(cmds))
	for i := range cmds {
		calls[i] = call{cmd: cmds[i], post: reply, index: i, callOptions: callOptions{control: true}}
		invalid[i] = cmds[i].check()
	}
	var failed []failure

	c.mu.Lock()
	for i := range calls {
		err := invalid[i]
		if err == nil {
			err = c.err
		}
		if err == nil {
			c.register(&calls[i])
			continue
		}
		failed = append(failed, failure{call: &calls[i], err: err})
	}
	c.mu.Unlock()

	c.wakeWriter()
	c.deliver(failed)
}
