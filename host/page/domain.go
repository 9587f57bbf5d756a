package page

import (
	"net/url"
	"strings"
	"time"

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
	if err := e.blockedURL(u.String()); err != nil {
		return "", err
	}
	return u.String(), nil
}

// isPort tells host:port, which parses as scheme:opaque, from a scheme.
func isPort(opaque string) bool {
	digits, _, _ := strings.Cut(opaque, "/")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

// blockedURL refuses an address on the blocklist.
func (e *Engine) blockedURL(raw string) error {
	host := strings.ToLower(strings.TrimSuffix(domainOf(raw), "."))
	if host == "" {
		return nil
	}
	for _, d := range e.opts.BlockedDomains {
		d = strings.ToLower(strings.TrimPrefix(strings.TrimPrefix(d, "*."), "."))
		if d != "" && (host == d || strings.HasSuffix(host, "."+d)) {
			return fault.New(fault.DomainBlocked, "%s is on the operator's blocklist; do the task without it", host).With("domain", host)
		}
	}
	return nil
}

// popupTime is how long a new popup may take to say where it goes.
const popupTime = time.Second

// checkDomain looks where the action led: a page that was sent to a blocked
// domain is emptied, a popup there is closed.
func (r *run) checkDomain() error {
	if len(r.opts.BlockedDomains) == 0 {
		return nil
	}
	r.await(popupTime, func(st *State) bool {
		for i := range st.Tabs {
			t := &st.Tabs[i]
			if _, old := r.began.Tab(t.ID); !old && t.Opener != "" && (t.URL == "" || t.URL == "about:blank") {
				return false
			}
		}
		return true
	})
	st := r.host.State()
	var blocked error
	for i := range st.Tabs {
		tab := &st.Tabs[i]
		err := r.blockedURL(tab.URL)
		if err == nil {
			continue
		}
		switch {
		case tab.ID == r.tabID:
			blocked = err
			_, _ = r.call(tab.Session, "Page.navigate", map[string]any{"url": "about:blank"}) // the refusal stands either way
		case tab.Opener != "":
			blocked = err
			_ = r.host.ClosePage(r.ctx, tab.ID)
		}
		r.sessions.drop(tab.ID)
	}
	return blocked
}
