package endpoint

import (
	"context"
	"time"
)

// Provider rents browsers. Its methods may run at the same time.
type Provider interface {
	// Start rents one browser. When ctx is cancelled meanwhile, nothing stays
	// rented as far as the provider still answers.
	Start(ctx context.Context) (*Session, error)
	// Stop gives the browser of a session back. A session that has ended already
	// is no error, so Stop may be called again.
	Stop(ctx context.Context, id string) error
}

// Session is a rented browser.
type Session struct {
	ID        string
	URL       URL       // to be dialled as it is
	ExpiresAt time.Time // the provider ends it then; zero when unknown
	KeepAlive bool      // it outlives a lost connection
}

// Reason tells the failures of a provider apart. It stands under "reason" in the
// details of the fault.Error, beside "provider", "status" and, where the provider
// said so, "retry_after_s".
type Reason string

// The reasons and what to do on each.
const (
	Unauthorized    Reason = "unauthorized"     // 401, 403: correct the key
	PaymentRequired Reason = "payment_required" // 402: look after the account
	Rejected        Reason = "rejected"         // other 4xx: correct the request
	RateLimited     Reason = "rate_limited"     // 429: later, or end other sessions
	Failing         Reason = "failing"          // 5xx: later
	Malformed       Reason = "malformed"        // not an answer of that API: correct the base URL
	Unreachable     Reason = "unreachable"      // no answer at all
)
