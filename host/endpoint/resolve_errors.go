package endpoint

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"

	"cdphost/sdk/fault"
)

// statusError judges the HTTP status of an answer; nil for 200.
func (a *answer) statusError() error {
	switch a.status {
	case http.StatusOK:
		return nil
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusProxyAuthRequired:
		return fault.New(fault.EndpointUnreachable,
			"%s refuses access (HTTP %d): check the token or password in its address.", a.asked, a.status).With("status", a.status)
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		err := fault.New(fault.EndpointUnreachable,
			"%s can't serve a browser now (HTTP %d): try again later.", a.asked, a.status).With("status", a.status)
		if s, ok := retryAfter(a.retryAfter); ok {
			err = err.With("retry_after_s", s)
		}
		return err
	default:
		return fault.New(fault.EndpointNotCDP,
			"%s answers HTTP, but has no /json/version (HTTP %d): it is not a browser's debugging port, or one whose "+
				"ws://…/devtools/browser/… address must be given in full.", a.asked, a.status).With("status", a.status)
	}
}

// transportError says in one sentence why a port gave no answer.
func (r *resolver) transportError(ctx context.Context, err error) error {
	cause := r.url.Scrub(err)
	if errors.Is(ctx.Err(), context.Canceled) {
		return fault.Wrap(cause, fault.Aborted, "The search for the browser at %s was cancelled.", r.url)
	}
	code, text := classify(err)
	return fault.Wrap(cause, code, text, r.url)
}

// classify returns code and text for an error of an HTTP exchange; the text has
// one %s for the address.
func classify(err error) (fault.Code, string) {
	var (
		op     *net.OpError
		dns    *net.DNSError
		ne     net.Error
		record tls.RecordHeaderError
		verify *tls.CertificateVerificationError
		issuer x509.UnknownAuthorityError
		name   x509.HostnameError
	)
	isOp := errors.As(err, &op)
	switch {
	case isOp && op.Op == "proxyconnect":
		return fault.EndpointUnreachable, "The HTTP proxy on the way to %s can't be reached: check HTTP_PROXY, HTTPS_PROXY and NO_PROXY."
	case errors.Is(err, errRedirect):
		return fault.EndpointNotCDP, "%s redirects elsewhere: give the address of the browser's debugging port itself."
	case errors.As(err, &dns):
		return fault.EndpointUnreachable, "The host name in %s can't be resolved."
	case isRefused(err):
		return fault.EndpointUnreachable, "Nothing listens at %s (connection refused): start the browser with --remote-debugging-port, or correct the address."
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return fault.EndpointUnreachable, "%s does not speak TLS: use http or ws in its address."
	case errors.As(err, &verify), errors.As(err, &issuer), errors.As(err, &name):
		return fault.EndpointUnreachable, "The TLS certificate of %s is not trusted."
	case errors.As(err, &ne) && ne.Timeout():
		return fault.EndpointUnreachable, "%s did not answer in time."
	case isOp && op.Op == "dial":
		return fault.EndpointUnreachable, "%s can't be reached over the network."
	default:
		return fault.EndpointNotCDP, "%s accepts connections, but does not speak the HTTP of a browser's debugging port."
	}
}
