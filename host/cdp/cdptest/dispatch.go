package cdptest

import (
	"encoding/json"
	"slices"
)

// method is how the model runs one CDP method. run is called with Server.mu held.
type method struct {
	run func(ses *session, req *Request) Reply
	at  scope
	// renderer is true of a command that the page's main thread answers: it waits while that is
	// blocked by a dialog or not there yet.
	renderer bool
}

// scope says on which sessions a method exists.
type scope int

const (
	anywhere  scope = iota
	onBrowser       // the browser's session
	onPage          // sessions of pages and frames
	onTop           // sessions of pages
)

// receive handles one message of a client.
func (s *Server) receive(c *conn, data []byte) {
	var msg struct {
		ID        int64           `json:"id"`
		SessionID string          `json:"sessionId"`
		Method    string          `json:"method"`
		Params    json.RawMessage `json:"params"`
	}
	if json.Unmarshal(data, &msg) != nil {
		c.out.put([]byte(`{"error":{"code":-32700,"message":"JSON: parse error"}}`))
		return
	}
	req := &Request{
		Conn: c.number, ID: msg.ID, SessionID: msg.SessionID, Method: msg.Method, Params: msg.Params, conn: c,
	}
	s.record.add(req)
	reply := s.script.play(req)
	switch reply.kind {
	case replyNow:
		req.Answer(reply)
	case replyDefault:
		s.mu.Lock()
		defer s.mu.Unlock()
		s.dispatch(c, req)
	case replyNever:
	}
}

// dispatch lets the model run a command.
func (s *Server) dispatch(c *conn, req *Request) {
	ses := c.root
	if req.SessionID != "" {
		var ok bool
		if ses, ok = c.sessions[req.SessionID]; !ok {
			c.out.put(replyMessage(req.ID, "", Refuse(-32001, "Session with given id not found.")))
			return
		}
	}
	m, ok := methods[req.Method]
	switch {
	case !ok,
		m.at == onBrowser && ses.target != nil,
		(m.at == onPage || m.at == onTop) && ses.target == nil:
		req.Answer(Refuse(-32601, "'%s' wasn't found", req.Method))
	case m.at == onTop && ses.target.kind != kindPage:
		req.Answer(Refuse(-32000, "Command can only be executed on top-level targets"))
	case m.renderer && ses.target != nil && ses.target.busy():
		ses.target.queue = append(ses.target.queue, queued{ses, req})
	default:
		ses.answer(req, m.run(ses, req))
	}
}

// forget ends the sessions of a socket that is gone.
func (s *Server) forget(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clients = slices.DeleteFunc(s.clients, func(other *conn) bool { return other == c })
	for _, ctx := range slices.Clone(s.contexts) {
		if ctx.owner == c {
			s.dispose(ctx)
		}
	}
	for _, ses := range sortedSessions(c) {
		ses.end()
	}
}
