package cdptest

import (
	"net"
	"net/url"
	"strings"
)

// Document is what the mock finds at a URL.
type Document struct {
	Title string
	// Frames are the URLs of its iframes. A frame of another site than the page's becomes a target of
	// its own.
	Frames []string
	// Script runs when the document has been committed, before its frames. It is an expression that
	// the mock's Runtime.evaluate understands.
	Script string
	// BeforeUnload asks before the document is left, once a user has acted on it.
	BeforeUnload bool
	// Error is a network error code such as net::ERR_CONNECTION_REFUSED: the URL shows an error page.
	Error string
}

// HTML writes the document for a real browser. Its Error can't be written.
func (d Document) HTML() string {
	html := "<!doctype html><title>" + d.Title + "</title>"
	if d.Script != "" {
		html += "<script>" + d.Script + "</script>"
	}
	if d.BeforeUnload {
		html += "<script>addEventListener('beforeunload', e => e.preventDefault())</script>"
	}
	for _, url := range d.Frames {
		html += `<iframe src="` + url + `"></iframe>`
	}
	return html
}

// Serve sets the document of a URL. Navigating to a URL that has none shows an empty document.
func (s *Server) Serve(url string, doc Document) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.docs[url] = doc
}

// document returns the document of a URL; its fragment does not matter.
func (s *Server) document(url string) Document {
	url, _, _ = strings.Cut(url, "#")
	return s.docs[url]
}

// originOf returns a URL's origin as Chrome writes it, "://" when it is opaque.
func originOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "://"
	}
	return u.Scheme + "://" + u.Host
}

// domainAndRegistry returns the registrable domain of a URL's host, taking the last label for the
// public suffix.
func domainAndRegistry(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || originOf(raw) == "://" {
		return ""
	}
	host := u.Hostname()
	if net.ParseIP(host) != nil {
		return ""
	}
	labels := strings.Split(host, ".")
	return strings.Join(labels[max(0, len(labels)-2):], ".")
}

// siteOf returns what decides about a document's process: scheme and registrable domain.
func siteOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || originOf(raw) == "://" {
		return ""
	}
	domain := domainAndRegistry(raw)
	if domain == "" {
		domain = u.Hostname()
	}
	return u.Scheme + "://" + domain
}

// inherits tells whether a document at a URL belongs to the site of the one that made it.
func inherits(raw string) bool { return siteOf(raw) == "" }

// domainOf returns the part of a method before the dot.
func domainOf(method string) string {
	domain, _, _ := strings.Cut(method, ".")
	return domain
}
