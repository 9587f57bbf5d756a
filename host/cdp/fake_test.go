package cdp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"testing"
	"testing/synctest"
)

// fakeTransport is a browser's end in memory. A write waits until the test
// takes it, so a test that does not is a peer that reads nothing.
type fakeTransport struct {
	in     chan io.Reader
	out    chan []byte
	closed chan struct{}
	once   sync.Once
}

func newFakeTransport() *fakeTransport {
	return &fakeTransport{in: make(chan io.Reader), out: make(chan []byte), closed: make(chan struct{})}
}

func (f *fakeTransport) Reader(ctx context.Context) (io.Reader, error) {
	select {
	case r := <-f.in:
		return r, nil
	case <-f.closed:
		return nil, io.ErrClosedPipe
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (f *fakeTransport) Write(ctx context.Context, p []byte) error {
	select {
	case f.out <- bytes.Clone(p):
		return nil
	case <-f.closed:
		return io.ErrClosedPipe
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (f *fakeTransport) Close() error {
	f.once.Do(func() { close(f.closed) })
	return nil
}

// message is what the browser's end sees of a command.
type message struct {
	ID        int64           `json:"id"`
	Method    string          `json:"method"`
	Params    json.RawMessage `json:"params"`
	SessionID string          `json:"sessionId"`
}

// rig is a Conn and the browser's end of it, inside a synctest bubble.
type rig struct {
	*Conn
	t    *testing.T
	peer *fakeTransport
}

// inBubble runs f with a connection whose time is simulated. The connection is
// closed at the end, and every goroutine must have ended then.
func inBubble(t *testing.T, o Options, f func(t *testing.T, b *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		peer := newFakeTransport()
		b := &rig{Conn: NewConn(peer, o), t: t, peer: peer}
		defer func() {
			if err := b.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		}()
		f(t, b)
	})
}

// recv takes the next command that the Conn wrote.
func (b *rig) recv() message {
	b.t.Helper()
	select {
	case raw := <-b.peer.out:
		var m message
		if err := json.Unmarshal(raw, &m); err != nil {
			b.t.Fatalf("command is not JSON: %v\n%s", err, raw)
		}
		return m
	case <-b.peer.closed:
		b.t.Fatal("transport closed while a command was expected")
		panic("unreachable")
	}
}

// expect takes the next command and checks its method.
func (b *rig) expect(method string) message {
	b.t.Helper()
	m := b.recv()
	if m.Method != method {
		b.t.Fatalf("command is %q, want %q", m.Method, method)
	}
	return m
}

// expectNothing checks that no command is on its way.
func (b *rig) expectNothing() {
	b.t.Helper()
	synctest.Wait()
	select {
	case raw := <-b.peer.out:
		b.t.Fatalf("unexpected command %s", raw)
	default:
	}
}

// send gives a message to the Conn and returns when it was handled.
func (b *rig) send(format string, args ...any) {
	b.t.Helper()
	b.sendReader(bytes.NewReader(fmt.Appendf(nil, format, args...)))
}

func (b *rig) sendReader(r io.Reader) {
	b.t.Helper()
	select {
	case b.peer.in <- r:
	case <-b.peer.closed:
		b.t.Fatal("transport closed while a message was to be sent")
	}
	synctest.Wait()
}

// pending is a Call under way on a goroutine of its own.
type pending struct {
	result json.RawMessage
	err    error
	done   chan struct{}
}

func (b *rig) start(ctx context.Context, cmd Command, opts ...CallOption) *pending {
	p := &pending{done: make(chan struct{})}
	go func() {
		defer close(p.done)
		p.result, p.err = b.Call(ctx, cmd, opts...)
	}()
	synctest.Wait()
	return p
}

// ended reports, without waiting, whether the call has.
func (p *pending) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

func (p *pending) wait() (json.RawMessage, error) {
	<-p.done
	return p.result, p.err
}
