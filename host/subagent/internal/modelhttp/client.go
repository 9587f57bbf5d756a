// Package modelhttp is what the clients of language models share: an HTTP
// client that leaks no key, a watch over streams that stall, and the sentences
// for what a service answers when it does not answer.
package modelhttp

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// ErrRedirect is why a redirect failed: the key would go where it leads.
var ErrRedirect = errors.New("redirects are not followed")

// Client makes an HTTP client on a transport; nil is http.DefaultTransport.
// Redirects are ErrRedirect.
func Client(transport http.RoundTripper) *http.Client {
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return ErrRedirect },
	}
}

// ErrStalled is the cause when a service has sent nothing for too long.
var ErrStalled = errors.New("the service has sent nothing for too long")

// StallTime is how long a service may be silent. A model on a slow machine takes
// minutes to read a long conversation before its first word.
const StallTime = 4 * time.Minute

// Watch ends the returned context, with ErrStalled as its cause, when alive was
// not called for d. stop must be called.
func Watch(ctx context.Context, d time.Duration) (_ context.Context, alive, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(d, func() { cancel(ErrStalled) })
	return ctx, func() { timer.Reset(d) }, func() {
		timer.Stop()
		cancel(context.Canceled)
	}
}
