package endpoint

import (
	"context"
	"errors"
	"net/http"

	"cdphost/host/cdp"
	"cdphost/sdk/fault"
)

// DialOptions are the optional parts of Dial. The zero value is usable.
type DialOptions struct {
	Header     http.Header  // sent with the handshake; no Origin header is added
	HTTPClient *http.Client // nil: proxies of the environment, none for loopback
}

// Dial opens the WebSocket of the browser at u, which Resolve has returned. ctx
// bounds the handshake. A transport is no proof of a browser yet: that is the
// answer to Browser.getVersion.
//
// Errors are fault.EndpointUnreachable, with the HTTP status and the seconds of
// Retry-After in its details where there were any (a service that allows one
// connection answers the second with 429), fault.EndpointNotCDP and, when ctx is
// cancelled, fault.Aborted; none holds a secret of u.
func Dial(ctx context.Context, u URL, o DialOptions) (cdp.Transport, error) {
	if u.IsZero() {
		return nil, fault.New(fault.InvalidArgument, "No browser address is given.")
	}
	if o.HTTPClient == nil {
		o.HTTPClient = newHTTPClient()
	}
	t, err := cdp.Dial(ctx, u.Reveal(), cdp.DialOptions{Header: o.Header, HTTPClient: o.HTTPClient})
	if err == nil {
		return t, nil
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil, fault.Wrap(u.Scrub(err), fault.Aborted, "The connection to %s was cancelled.", u)
	}
	var failed *cdp.DialError
	if errors.As(err, &failed) && failed.StatusCode != 0 {
		return nil, handshakeError(u, failed)
	}
	code, text := classify(err)
	return nil, fault.Wrap(u.Scrub(err), code, text, u)
}

// handshakeError judges an HTTP answer that is not a WebSocket.
func handshakeError(u URL, failed *cdp.DialError) error {
	a := answer{asked: u, status: failed.StatusCode, retryAfter: failed.Header.Get("Retry-After")}
	err := a.statusError()
	var f *fault.Error
	if errors.As(err, &f) && f.Code == fault.EndpointUnreachable {
		return f
	}
	if a.status == http.StatusNotFound {
		return fault.New(fault.EndpointNotCDP,
			"%s has no browser under this path (HTTP 404): the browser was restarted since its address was read, or the address is another's.", u).
			With("status", a.status)
	}
	return fault.New(fault.EndpointNotCDP,
		"%s answers HTTP, but opens no WebSocket (HTTP %d): it is not a browser's CDP.", u, a.status).With("status", a.status)
}
