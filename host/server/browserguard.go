package server

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// guardBrowsers refuses what a web page in somebody's browser could send: a
// Host that is not ours (DNS rebinding) and a foreign Origin.
func (s *Server) guardBrowsers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := s.currentAccess()
		switch {
		case !a.hostAllowed(r):
			http.Error(w, "Forbidden: this Host is not served here", http.StatusForbidden)
		case !a.originAllowed(r):
			http.Error(w, "Forbidden: this Origin may not call", http.StatusForbidden)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// hostAllowed takes loopback names and the configured ones. A server that
// listens beyond loopback and configures none takes any, as its callers need a
// token.
func (a *Access) hostAllowed(r *http.Request) bool {
	host := hostname(r.Host)
	if isLoopbackName(host) || slices.Contains(a.AllowedHosts, host) {
		return true
	}
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return ok && len(a.AllowedHosts) == 0 && !isLoopbackName(hostname(local.String()))
}

// originAllowed takes requests without an Origin (no browser sent them), those
// of the server's own origin and the configured ones.
func (a *Access) originAllowed(r *http.Request) bool {
	values := r.Header.Values("Origin")
	if len(values) == 0 {
		return true
	}
	if len(values) > 1 {
		return false
	}
	if slices.Contains(a.AllowedOrigins, values[0]) {
		return true
	}
	u, err := url.Parse(values[0])
	return err == nil && u.Scheme == "http" && u.Host != "" && u.Host == r.Host
}

func hostname(hostport string) string {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = strings.Trim(hostport, "[]")
	}
	return strings.ToLower(host)
}

func isLoopbackName(host string) bool {
	if host == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback()
}
