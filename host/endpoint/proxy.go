package endpoint

import (
	"errors"
	"net"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/net/http/httpproxy"
)

// newHTTPClient returns a client that goes through the proxies of the
// environment (HTTP_PROXY, HTTPS_PROXY, NO_PROXY), but never to this machine,
// and keeps no connection open.
func newHTTPClient() *http.Client {
	environment := httpproxy.FromEnvironment().ProxyFunc()
	return &http.Client{
		Transport: &http.Transport{
			Proxy: func(r *http.Request) (*url.URL, error) {
				if isLoopbackHost(r.URL.Hostname()) {
					return nil, nil
				}
				return environment(r.URL)
			},
			DialContext:         (&net.Dialer{Timeout: dialTimeout}).DialContext,
			TLSHandshakeTimeout: dialTimeout,
			DisableKeepAlives:   true,
		},
		CheckRedirect: checkRedirect,
	}
}

// dialTimeout bounds TCP connect and TLS handshake, each: a host that drops
// packets must not use up a caller's whole start limit of 15 s.
const dialTimeout = 10 * time.Second

var errRedirect = errors.New("redirected too often or to a connection without TLS")

func checkRedirect(r *http.Request, via []*http.Request) error {
	if len(via) > 3 || via[0].URL.Scheme == "https" && r.URL.Scheme != "https" {
		return errRedirect
	}
	return nil
}
