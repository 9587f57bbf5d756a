package tool

import (
	"net/url"
	"slices"
	"strings"

	"cdphost/sdk/fault"
)

// navigable are the schemes that an agent may navigate to.
var navigable = []string{"http", "https", "about", "data", "blob"}

// address completes what an agent gave as url ("example.com" means https) and
// refuses what a page must not be sent to.
func address(given string) (string, error) {
	text := strings.TrimSpace(given)
	if text == "" {
		return "", fault.New(fault.InvalidArgument, "url is missing.").With("argument", "url")
	}
	if host, ok := bareHost(text); ok {
		scheme := "https://"
		if host == "localhost" || strings.HasPrefix(host, "127.") || host == "[::1]" {
			scheme = "http://"
		}
		text = scheme + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "" {
		return "", fault.New(fault.InvalidArgument, "url is not a URL; give it whole, like https://example.com/.").With("argument", "url")
	}
	if !slices.Contains(navigable, u.Scheme) {
		return "", fault.New(fault.SchemeBlocked, "%s: URLs can't be opened; use one of %s.", u.Scheme, strings.Join(navigable, ", ")).
			With("scheme", u.Scheme)
	}
	if (u.Scheme == "http" || u.Scheme == "https") && u.Host == "" {
		return "", fault.New(fault.InvalidArgument, "url names no host.").With("argument", "url")
	}
	return text, nil
}

// bareHost reports whether text is a host without a scheme, and which.
func bareHost(text string) (string, bool) {
	if strings.Contains(text, "://") {
		return "", false
	}
	head, _, _ := strings.Cut(text, "/")
	host, port, hasPort := strings.Cut(head, ":")
	if strings.HasPrefix(head, "[") {
		end := strings.IndexByte(head, ']')
		return head[:end+1], end > 0
	}
	if hasPort && (port == "" || strings.Trim(port, "0123456789") != "") {
		return "", false // "data:text/html", "about:blank"
	}
	return host, host == "localhost" || strings.Contains(host, ".")
}
