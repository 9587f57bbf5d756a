package page

import (
	"net/url"
	"strings"

	"cdphost/sdk/fault"
)

// schemes are what pages may be sent to. All others reach the machine, the
// browser itself, or run script in the page that is open.
var schemes = map[string]bool{"http": true, "https": true, "about": true, "data": true, "blob": true}

// target checks an address that an agent gave and completes it: a bare host
// name means https.
func (e *Engine) target(raw string) (string, error) {
	s := strings.TrimSpace(raw)
	if s == "" {
		return "", fault.New(fault.InvalidAction, "url is empty")
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme == "" || (strings.Contains(u.Scheme, ".") && !strings.Contains(s, "://")) || (u.Opaque != "" && isPort(u.Opaque)) {
		host := s
		if !strings.Contains(host, "://") {
			host = "https://" + s
		}
		if u, err = url.Parse(host); err != nil || u.Host == "" {
			return "", fault.New(fault.InvalidAction, "%q is no url", raw)
		}
	}
	if !schemes[strings.ToLower(u.Scheme)] {
		return "", fault.New(fault.SchemeBlocked, "%s: addresses are not open to agents; use http or https", u.Scheme)
	}
	if err := e.CheckURL(u.String()); err != nil {
		return "", err
	}
	return u.String(), nil
}

// isPort tells host:port, which parses as scheme:opaque, from a scheme.
func isPort(opaque string) bool {
	digits, _, _ := strings.Cut(opaque, "/")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}
