package endpoint

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unique"

	"cdphost/sdk/fault"
)

// defaultPort is assumed for a bare host, because it is the port that Chrome's
// own documentation uses for --remote-debugging-port.
const defaultPort = "9222"

// URL is the address of a browser's CDP. It prints, logs and marshals without
// user info, query values and the parts of its path that may be tokens; only
// Reveal returns them. The zero value is no address. Values are comparable and
// safe for concurrent use.
type URL struct {
	// The handle keeps the text behind a pointer to a string, which fmt prints as
	// an address: so not even a print through reflection, of a struct that holds
	// a URL in an unexported field, reaches it.
	raw    unique.Handle[string]
	direct bool
}

// ParseURL reads an address in one of the forms ws(s)://, http(s)://, host:port,
// host (port 9222), :port or port (of this machine). Surrounding space and a
// fragment are dropped. An error is a fault.InvalidArgument that does not quote
// s.
func ParseURL(s string) (URL, error) {
	p, err := parse(strings.TrimSpace(s))
	if err != nil {
		return URL{}, err
	}
	return makeURL(p, false), nil
}

func makeURL(p *url.URL, direct bool) URL {
	return URL{raw: unique.Make(p.String()), direct: direct}
}

// Reveal returns the whole address, secrets included. It is meant for the call
// that dials, and for nothing that is shown.
func (u URL) Reveal() string {
	if u.IsZero() {
		return ""
	}
	return u.raw.Value()
}

// IsZero reports whether u is no address.
func (u URL) IsZero() bool { return u == URL{} }

// Direct returns u marked as an address that is to be dialled as it is: Resolve
// gives it back unchanged.
func (u URL) Direct() URL {
	if u.IsZero() {
		return u
	}
	u.direct = true
	return u
}

// IsDirect reports whether u is to be dialled as it is.
func (u URL) IsDirect() bool { return u.direct }

// Host returns host and port as they stand in the address.
func (u URL) Host() string { return u.parts().Host }

// IsLoopback reports whether the address names this machine: localhost, a name
// below it, or a loopback IP address. It asks no resolver.
func (u URL) IsLoopback() bool { return isLoopbackHost(u.parts().Hostname()) }

// parts returns a copy of the address for reading and changing.
func (u URL) parts() *url.URL {
	p, err := url.Parse(u.Reveal())
	if err != nil { // not reached: makeURL formats what it stores
		return &url.URL{}
	}
	return p
}

func parse(s string) (*url.URL, error) {
	if s == "" {
		return nil, fault.New(fault.InvalidArgument, "The browser's address is empty: give ws://…, http://… or host:port.")
	}
	scheme, _, has := strings.Cut(s, "://")
	if !has {
		return parseBare(s)
	}
	switch strings.ToLower(scheme) {
	case "ws", "wss", "http", "https":
	default:
		return nil, fault.New(fault.InvalidArgument, "The browser's address must begin with ws, wss, http or https, or be host:port.")
	}
	p, err := url.Parse(s)
	if err != nil {
		return nil, errMalformed
	}
	return p, check(p)
}

// errMalformed carries no cause: url.Parse quotes what it was given.
var errMalformed = fault.New(fault.InvalidArgument, "The browser's address is not a well-formed URL: special characters in a password or token must be percent-encoded.")

func parseBare(s string) (*url.URL, error) {
	if addr, err := netip.ParseAddr(s); err == nil && addr.Is6() {
		s = "[" + s + "]"
	} else if _, err := strconv.ParseUint(s, 10, 16); err == nil {
		s = "127.0.0.1:" + s
	} else if s[0] == ':' {
		s = "127.0.0.1" + s
	}
	p, err := url.Parse("http://" + s)
	if err != nil {
		return nil, errMalformed
	}
	if p.Port() == "" {
		p.Host += ":" + defaultPort
	}
	if strings.HasPrefix(p.Path, "/devtools/") {
		p.Scheme = "ws"
	}
	return p, check(p)
}

func check(p *url.URL) error {
	p.Fragment, p.RawFragment = "", ""
	if p.Hostname() == "" {
		return fault.New(fault.InvalidArgument, "The browser's address names no host.")
	}
	if port := p.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return fault.New(fault.InvalidArgument, "The port in the browser's address must be a number from 1 to 65535.")
		}
	} else {
		p.Host = strings.TrimSuffix(p.Host, ":")
	}
	p.Host = strings.ToLower(p.Host)
	return nil
}

func isLoopbackHost(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}
