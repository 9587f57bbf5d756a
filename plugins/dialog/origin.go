package dialog

import (
	"fmt"
	"net/url"
	"strings"
)

// pattern matches origins.
type pattern struct {
	opaque     bool
	scheme     string
	host       string
	port       string
	subdomains bool
}

// parsePattern reads "https://example.com", "https://*.example.com:8443" or "null".
func parsePattern(s string) (pattern, error) {
	if s == "null" {
		return pattern{opaque: true}, nil
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme == "" || u.Hostname() == "" || u.User != nil ||
		strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return pattern{}, fmt.Errorf("%q is not an origin such as \"https://example.com\" or \"https://*.example.com\"", s)
	}
	host, subdomains := strings.CutPrefix(strings.ToLower(u.Hostname()), "*.")
	if strings.Contains(host, "*") {
		return pattern{}, fmt.Errorf("%q: a \"*.\" can only stand before the whole host", s)
	}
	return pattern{scheme: strings.ToLower(u.Scheme), host: host, port: port(u), subdomains: subdomains}, nil
}

// matches reports whether the origin of rawURL fits. A url without a host, such
// as about:srcdoc or data:, has the origin "null".
func (p pattern) matches(rawURL string) bool {
	u, err := url.Parse(rawURL)
	if err == nil && u.Scheme == "blob" {
		u, err = url.Parse(u.Opaque)
	}
	if err != nil || u.Hostname() == "" {
		return p.opaque
	}
	if p.opaque || !strings.EqualFold(u.Scheme, p.scheme) || port(u) != p.port {
		return false
	}
	host := strings.ToLower(u.Hostname())
	return host == p.host || p.subdomains && strings.HasSuffix(host, "."+p.host)
}

// port returns the port of u, the default of its scheme when it names none.
func port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "ws":
		return "80"
	case "https", "wss":
		return "443"
	}
	return ""
}
