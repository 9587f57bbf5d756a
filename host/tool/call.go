package tool

import "encoding/json"

// Call is one call of a tool by an agent.
type Call struct {
	// Caller is who calls: the name behind a bearer token, or the one client of
	// a stdio process. A caller reaches only its own tasks.
	Caller string
	// Session is the id of the MCP session that the call came in, if there is
	// one over HTTP. It must not be shown: whoever knows it can use the session.
	Session string
	// Stateless is true for a call that belongs to no session: one of protocol
	// version 2026-07-28 or later over HTTP.
	Stateless bool
	Toolset   *Toolset
	// Args is the JSON object of arguments; empty stands for {}.
	Args json.RawMessage
	// Progress tells the client how far the call is; nil when it did not ask.
	// total is 0 when it is not known.
	Progress func(done, total float64, message string)
}

// Report calls Progress when the client asked for it.
func (c *Call) Report(done, total float64, message string) {
	if c.Progress != nil {
		c.Progress(done, total, message)
	}
}
