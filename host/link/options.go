package link

import (
	"context"
	"time"

	"cdphost/host/cdp"
	"cdphost/host/endpoint"

	"github.com/hashicorp/go-hclog"
)

// MaxPostAttachReconnectFailures is how many reconnects in a row may fail, or end
// within Options.MinUptime, before a link gives up.
const MaxPostAttachReconnectFailures = 5

// Options are the settings of a link. The zero value of each field has the
// default that its comment names.
type Options struct {
	Logger hclog.Logger
	// ReadLimit is the largest message in bytes (256 MiB).
	ReadLimit int64
	// StartTimeout bounds the first connection, a launch included (15 s).
	StartTimeout time.Duration
	// BackoffMin and BackoffMax bound the pause between reconnects (0.5 s, 10 s).
	// The first after a connection that lasted goes without one.
	BackoffMin, BackoffMax time.Duration
	// MinUptime is how long a connection must live to refill the budget (30 s).
	MinUptime time.Duration
	// SetupTimeout bounds the wait for the set-up of a page that the host makes
	// (5 s). After it the page is used as it is, with what is missing recorded.
	SetupTimeout time.Duration
	// Heartbeat is the pause between two looks whether the browser still answers
	// (20 s). After two without an answer the connection is given up.
	Heartbeat time.Duration
	// NoStandby keeps the link from holding a second connection, which makes
	// dialogs answerable when the first one drops.
	NoStandby bool
	// JournalDir is where the link records what tasks make in a browser that is not
	// the host's, so that the next host can remove it after a crash; empty is a
	// private folder of the user's.
	JournalDir string
	// Meter, when not nil, counts what the link's connections do.
	Meter *Meter
	// Dial opens a transport; nil is endpoint.Dial.
	Dial func(ctx context.Context, u endpoint.URL) (cdp.Transport, error)
	// Provider makes the client of the service that browsers are rented from; nil
	// where none is configured.
	Provider func(endpoint.Rental) (endpoint.Provider, error)
}

func (o Options) withDefaults() Options {
	if o.Logger == nil {
		o.Logger = hclog.NewNullLogger()
	}
	setDefault(&o.StartTimeout, 15*time.Second)
	setDefault(&o.BackoffMin, 500*time.Millisecond)
	setDefault(&o.BackoffMax, 10*time.Second)
	setDefault(&o.MinUptime, 30*time.Second)
	setDefault(&o.SetupTimeout, 5*time.Second)
	setDefault(&o.Heartbeat, 20*time.Second)
	if o.Dial == nil {
		o.Dial = func(ctx context.Context, u endpoint.URL) (cdp.Transport, error) {
			return endpoint.Dial(ctx, u, endpoint.DialOptions{})
		}
	}
	return o
}

func setDefault(d *time.Duration, v time.Duration) {
	if *d <= 0 {
		*d = v
	}
}
