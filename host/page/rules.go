package page

import (
	"net/url"
	"strings"

	"cdphost/sdk/fault"
)

// Origins are patterns of origins: scheme://host[:port], where host may start
// with "*." for all its subdomains, or "*" for all. What Deny matches no page or
// frame may show; else an empty Allow allows all, and one that is not empty only
// what it matches, to pages, not to the frames in them.
type Origins struct {
	Allow, Deny []string
}

// rules say where pages may go. They are immutable.
type rules struct {
	domains []string
	origins Origins
}

func newRules(domains []string, o Origins) *rules {
	r := &rules{origins: o}
	for _, d := range domains {
		if d = strings.ToLower(strings.TrimPrefix(strings.TrimPrefix(d, "*."), ".")); d != "" {
			r.domains = append(r.domains, d)
		}
	}
	return r
}

func (r *rules) any() bool {
	return len(r.domains) > 0 || len(r.origins.Allow) > 0 || len(r.origins.Deny) > 0
}

// refuse tells why no page, or no frame if top is false, may show an address. An
// address without a host, such as blob: and about:srcdoc, counts as its origin.
func (r *rules) refuse(address, origin string, top bool) error {
	if !r.any() {
		return nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		if u, err = url.Parse(strings.TrimPrefix(origin, "blob:")); err != nil || u.Host == "" {
			return nil //nolint:nilerr // an address without a host is under no rule about hosts
		}
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	for _, d := range r.domains {
		if host == d || strings.HasSuffix(host, "."+d) {
			return fault.New(fault.DomainBlocked, "%s is on the operator's blocklist; do the task without it", host).With("domain", host)
		}
	}
	denied := matchesAny(r.origins.Deny, u, host)
	if !denied && (!top || len(r.origins.Allow) == 0 || matchesAny(r.origins.Allow, u, host)) {
		return nil
	}
	return fault.New(fault.DomainBlocked, "%s://%s is not open to this toolset; do the task without it", u.Scheme, u.Host).With("domain", host)
}

func matchesAny(patterns []string, u *url.URL, host string) bool {
	for _, p := range patterns {
		if matchesOrigin(p, u, host) {
			return true
		}
	}
	return false
}

func matchesOrigin(pattern string, u *url.URL, host string) bool {
	if pattern == "*" {
		return true
	}
	p, err := url.Parse(strings.Replace(pattern, "://*.", "://", 1))
	if err != nil || !strings.EqualFold(p.Scheme, u.Scheme) || portOf(p) != portOf(u) {
		return false
	}
	wanted := strings.ToLower(p.Hostname())
	if strings.Contains(pattern, "://*.") {
		return strings.HasSuffix(host, "."+wanted)
	}
	return host == wanted
}

func portOf(u *url.URL) string {
	if port := u.Port(); port != "" {
		return port
	}
	return map[string]string{"http": "80", "https": "443"}[strings.ToLower(u.Scheme)]
}

// CheckURL refuses an address that a page may not be sent to: fault.DomainBlocked.
func (e *Engine) CheckURL(address string) error { return e.rules.refuse(address, "", true) }
