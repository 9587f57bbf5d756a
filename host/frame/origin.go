package frame

import "strings"

// opaque is the serialisation of an origin that is like no other.
const opaque = "null"

// unspecific is what Chrome gives for every document without a host: for opaque
// origins, but also for about:blank and about:srcdoc, which mostly have the origin
// of the document that made them.
const unspecific = "://"

// contextOrigin returns the serialised origin of an execution context. It is the
// document's true origin, inherited or made opaque by a sandbox, unlike a frame's
// securityOrigin.
func contextOrigin(s string) string {
	if s == unspecific {
		return opaque
	}
	return strings.TrimSuffix(text(s, urlCap), "/")
}

// documentOrigin returns the serialised origin of a document from the browser's
// securityOrigin ("" when it was not told), its URL and its parent's origin. A
// document of its own process that has no host does not share its parent's origin.
func documentOrigin(securityOrigin, url, parent string, ownProcess bool) string {
	if securityOrigin != "" && securityOrigin != unspecific {
		return strings.TrimSuffix(text(securityOrigin, urlCap), "/")
	}
	inherits := url == "" || strings.HasPrefix(url, "about:") || strings.HasPrefix(url, "javascript:")
	switch {
	case inherits && !ownProcess:
		return parent
	case inherits, securityOrigin == unspecific:
		return opaque
	}
	return urlOrigin(url)
}

// urlOrigin returns the serialised origin that follows from a URL alone.
func urlOrigin(url string) string {
	scheme, rest, ok := strings.Cut(url, ":")
	if !ok {
		return opaque
	}
	switch scheme = strings.ToLower(scheme); scheme {
	case "blob", "filesystem":
		return urlOrigin(rest)
	case "file":
		return "file://"
	}
	host, ok := strings.CutPrefix(rest, "//")
	if !ok {
		return opaque
	}
	if i := strings.IndexAny(host, "/?#\\"); i >= 0 {
		host = host[:i]
	}
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	if host == "" {
		return opaque
	}
	return text(scheme+"://"+strings.ToLower(host), urlCap)
}
