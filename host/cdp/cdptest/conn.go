package cdptest

import (
	"context"

	"github.com/coder/websocket"
)

// conn is one client's socket. One goroutine reads and runs its commands in order, one writes.
type conn struct {
	s      *Server
	number int // from 1, in the order of arrival
	ws     *websocket.Conn
	ctx    context.Context
	cut    context.CancelFunc // ends the socket at once
	out    *outbox
	gone   chan struct{} // closed when the model has forgotten the socket

	root     *session            // the browser's session
	sessions map[string]*session // guarded by Server.mu
}

func newConn(s *Server, ws *websocket.Conn) *conn {
	c := &conn{s: s, ws: ws, out: newOutbox(), gone: make(chan struct{}), sessions: map[string]*session{}}
	c.ctx, c.cut = context.WithCancel(context.Background())
	c.root = &session{conn: c, enabled: map[string]bool{}}
	return c
}

// serve runs until the socket is gone.
func (c *conn) serve() {
	written := make(chan struct{})
	go func() {
		defer close(written)
		defer c.cut()
		c.out.drain(c.ctx, func(msg []byte) error { return c.ws.Write(c.ctx, websocket.MessageText, msg) })
	}()
	c.read()
	c.cut()
	<-written
	_ = c.ws.CloseNow() // closed by the other side, or by us: either way it is over
	c.s.forget(c)
	close(c.gone)
}

func (c *conn) read() {
	for {
		_, data, err := c.ws.Read(c.ctx)
		if err != nil {
			return
		}
		if c.s.gate.wait(c.ctx) != nil {
			return
		}
		c.s.receive(c, data)
	}
}
