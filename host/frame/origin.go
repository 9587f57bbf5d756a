package frame

import "strings"

// opaque is the serialisation of an origin that is like no other.
const opaque = "null"

// origin returns the serialised origin of a document: the browser's word where it
// gives one, and otherwise what follows from the URL. Documents without an address
// of their own have the origin of the document that made them.
func origin(securityOrigin, url, parent string) string {
	switch securityOrigin {
	case "", "://", "://:0":
	default:
		return strings.TrimSuffix(text(securityOrigin, urlCap), "/")
	}
	scheme, rest, ok := strings.Cut(url, ":")
	if !ok {
		return parent
	}
	switch strings.ToLower(scheme) {
	case "about", "javascript":
		return parent
	case "blob", "filesystem":
		return origin("", rest, opaque)
	case "data":
		return opaque
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
	return text(strings.ToLower(scheme)+"://"+strings.ToLower(host), urlCap)
}
