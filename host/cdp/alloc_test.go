package cdp

import (
	"bytes"
	"context"
	"io"
	"testing"
)

// replay gives the same message again and again without an allocation of its own.
type replay struct {
	msg    []byte
	reader bytes.Reader
	next   chan struct{}
	closed chan struct{}
}

func (r *replay) Reader(context.Context) (io.Reader, error) {
	select {
	case <-r.next:
		r.reader.Reset(r.msg)
		return &r.reader, nil
	case <-r.closed:
		return nil, io.ErrClosedPipe
	}
}

func (r *replay) Write(context.Context, []byte) error { return io.ErrClosedPipe }

func (r *replay) Close() error {
	close(r.closed)
	return nil
}

// The whole way of an event, from the transport to the handler.
func TestEventsAllocateNothing(t *testing.T) { //nolint:paralleltest // counts allocations of the whole process
	for _, size := range []int{250, 1024, 100_000} {
		r := &replay{msg: event(size), next: make(chan struct{}), closed: make(chan struct{})}
		handled := make(chan struct{})
		c := NewConn(r, Options{Handler: func(Event) { handled <- struct{}{} }})
		if n := testing.AllocsPerRun(1000, func() {
			r.next <- struct{}{}
			<-handled
		}); n != 0 {
			t.Errorf("%v allocations for an event of %d bytes, want 0", n, size)
		}
		must(t, c.Close())
	}
}

func TestScanAllocatesNothing(t *testing.T) { //nolint:paralleltest // counts allocations of the whole process
	for _, k := range scanKinds {
		var e envelope
		if n := testing.AllocsPerRun(100, func() { scan(k.msg, &e) }); n != 0 {
			t.Errorf("%s: %v allocations, want 0", k.name, n)
		}
	}
}
