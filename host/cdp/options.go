package cdp

import (
	"time"

	"github.com/hashicorp/go-hclog"
)

const (
	// DefaultReadLimit holds the largest replies that Chrome was seen to give
	// (200 MB; at 300 MB it does not answer).
	DefaultReadLimit = 256 << 20

	// DefaultWriteLimit is below the 100 MiB at which Chrome's server resets
	// the connection, and with it everybody's calls.
	DefaultWriteLimit = 100_000_000

	// DefaultWriteTimeout is longer than a busy browser leaves its socket
	// unread, and short enough to notice a dead one.
	DefaultWriteTimeout = 15 * time.Second
)

// Options are the options of NewConn. The zero value is usable.
type Options struct {
	// ReadLimit is the longest message accepted, in bytes; DefaultReadLimit
	// when 0. Longer ones are skipped.
	ReadLimit int64

	// WriteLimit is the longest message sent, in bytes; DefaultWriteLimit
	// when 0. Longer ones fail with ErrCommandTooBig.
	WriteLimit int64

	// WriteTimeout is how long one message may take to write, plus one second
	// for each MiB of it; DefaultWriteTimeout when 0. When it passes, the
	// connection ends with ErrWriteTimeout.
	WriteTimeout time.Duration

	// Handler gets every event, in order, on the reader goroutine, and must
	// not wait. It may call Post, FailSession and Abort, but neither Call nor
	// Close. Events are dropped when it is nil.
	Handler func(Event)

	// Logger gets what no caller learns: panics, unreadable and unmatched
	// messages. It never gets the content of a message.
	Logger hclog.Logger
}

func (o Options) withDefaults() Options {
	if o.ReadLimit <= 0 {
		o.ReadLimit = DefaultReadLimit
	}
	if o.WriteLimit <= 0 {
		o.WriteLimit = DefaultWriteLimit
	}
	if o.WriteTimeout <= 0 {
		o.WriteTimeout = DefaultWriteTimeout
	}
	if o.Handler == nil {
		o.Handler = func(Event) {}
	}
	if o.Logger == nil {
		o.Logger = hclog.NewNullLogger()
	}
	return o
}
