package cdp

import (
	"errors"
	"fmt"
	"sync"

	"github.com/hashicorp/go-hclog"
)

// Conn is a connection to one browser. All methods may be called at once from
// any goroutine. It owns its transport and ends for good with the transport's
// first error, with Abort or with Close.
type Conn struct {
	transport Transport
	opts      Options
	log       hclog.Logger

	in  inbox   // of the reader goroutine
	dec decoder // of the reader goroutine
	out []byte  // of the writer goroutine

	// mu is held for steps on the maps and lists below, never over I/O or a
	// callback.
	mu      sync.Mutex
	lastID  int64
	calls   map[int64]*call // queued, or sent and neither answered nor dropped
	control lane
	normal  lane
	err     error // why the connection ended

	wake      chan struct{} // something was queued
	done      chan struct{} // closed when err is set
	loops     sync.WaitGroup
	callbacks callbacks
	count     counters
}

// NewConn starts a connection on t with one reader and one writer goroutine.
// Close must be called to wait for their end.
func NewConn(t Transport, o Options) *Conn {
	o = o.withDefaults()
	c := &Conn{
		transport: t,
		opts:      o,
		log:       o.Logger,
		in:        inbox{limit: o.ReadLimit},
		calls:     make(map[int64]*call),
		wake:      make(chan struct{}, 1),
		done:      make(chan struct{}),
	}
	c.dec = newDecoder(o.Logger, &c.count.parsed)
	c.loops.Go(c.read)
	c.loops.Go(c.write)
	return c
}

// Done is closed when the connection has ended; Err then says why.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err is nil while the connection lives. After that it has ErrClosed in its
// chain, and what ended the connection, if that was not Close.
func (c *Conn) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Close ends the connection, fails what is in flight and returns when all of
// the Conn's goroutines have ended. It must not be called from the handler or
// from a callback; Abort may. It always returns nil.
func (c *Conn) Close() error {
	c.end(ErrClosed)
	c.loops.Wait()
	c.callbacks.wait()
	return nil
}

// Abort ends the connection because of cause without waiting for anything but
// the transport's Close. It may be called from the handler and from callbacks.
func (c *Conn) Abort(cause error) {
	if cause == nil || errors.Is(cause, ErrClosed) {
		c.end(ErrClosed)
		return
	}
	c.end(fmt.Errorf("%w: %w", ErrClosed, cause))
}

// end fails all calls at once and then closes the transport.
func (c *Conn) end(err error) {
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return
	}
	c.err = err
	failed := c.take(func(*call) bool { return true })
	c.control, c.normal = lane{}, lane{}
	c.mu.Unlock()

	close(c.done)
	c.fail(failed, err)
	if cerr := c.transport.Close(); cerr != nil {
		c.log.Debug("transport closed with an error", "error", cerr)
	}
}
