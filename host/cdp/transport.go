package cdp

import (
	"context"
	"io"
)

// Transport carries whole messages in both directions, for example as
// WebSocket text frames (Dial).
//
// A Conn calls Reader from one goroutine and Write from one other. Close may
// be called at any time from any goroutine, more than once, and must make
// Reader, the reader it returned and Write return an error soon.
type Transport interface {
	// Reader waits for the next message and returns a reader of it, which
	// gives io.EOF at the message's end. It is read to its end before Reader
	// is called again. The reader must not limit the message's length.
	Reader(ctx context.Context) (io.Reader, error)

	// Write sends one message. It must not keep or change p. When ctx ends
	// before the message is written, Write returns an error and the
	// transport may be unusable. When the transport has ended and Reader has
	// the reason, the error should have net.ErrClosed in its chain.
	Write(ctx context.Context, p []byte) error

	// Close ends the transport at once.
	Close() error
}
