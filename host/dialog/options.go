package dialog

import (
	"strconv"
	"time"
)

const (
	// DefaultMessageCap is the number of characters of page-controlled text that
	// are kept of a message. Chrome itself cuts messages at 10,240.
	DefaultMessageCap = 2000
	// DefaultRing is the number of closed dialogs that are remembered.
	DefaultRing = 20
	// DefaultTimeout is how long a dialog is held when the policy does not say.
	DefaultTimeout = 300 * time.Second
)

// Options configure a Queue. Zero values mean the defaults.
type Options struct {
	MessageCap int           // characters
	Ring       int           // closed dialogs
	Timeout    time.Duration // of a hold

	// FloodPerSecond is how many dialogs one target may open in a second before
	// the breaker dismisses them; 0 switches the breaker off.
	FloodPerSecond int

	// NextID names the next dialog. It must never return the same id twice in the
	// life of the task's record, which outlives a Queue. The default counts from
	// d-1 for this Queue alone.
	NextID func() string
}

func (o Options) withDefaults() Options {
	if o.MessageCap <= 0 {
		o.MessageCap = DefaultMessageCap
	}
	if o.Ring <= 0 {
		o.Ring = DefaultRing
	}
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.NextID == nil {
		var n uint64
		o.NextID = func() string {
			n++
			return "d-" + strconv.FormatUint(n, 10)
		}
	}
	return o
}
