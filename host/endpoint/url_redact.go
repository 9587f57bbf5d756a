package endpoint

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// hidden stands where a secret was.
const hidden = "***"

var (
	_ fmt.Formatter  = URL{}
	_ fmt.GoStringer = URL{}
	_ slog.LogValuer = URL{}
)

// String returns the address without its secrets.
func (u URL) String() string {
	if u.IsZero() {
		return ""
	}
	return redact(u.parts())
}

// GoString returns the address without its secrets in the form of Go syntax.
func (u URL) GoString() string { return "endpoint.URL(" + strconv.Quote(u.String()) + ")" }

// Format prints the address without its secrets for every verb.
func (u URL) Format(f fmt.State, verb rune) {
	if verb == 'v' && f.Flag('#') {
		_, _ = fmt.Fprint(f, u.GoString())
		return
	}
	switch verb {
	case 's', 'q', 'x', 'X', 'v':
	default:
		verb = 's'
	}
	_, _ = fmt.Fprintf(f, fmt.FormatString(f, verb), u.String())
}

// MarshalText returns the address without its secrets.
func (u URL) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// MarshalJSON returns the address without its secrets as a JSON string.
func (u URL) MarshalJSON() ([]byte, error) { return json.Marshal(u.String()) }

// MarshalYAML returns the address without its secrets.
func (u URL) MarshalYAML() (any, error) { return u.String(), nil }

// LogValue returns the address without its secrets.
func (u URL) LogValue() slog.Value { return slog.StringValue(u.String()) }

// redact formats p with user info, query values and token-like path segments
// hidden. Scheme, host, port and the names of query parameters stay, because
// they tell endpoints apart.
func redact(p *url.URL) string {
	var b strings.Builder
	b.WriteString(p.Scheme)
	b.WriteString("://")
	if p.User != nil {
		b.WriteString(hidden + "@")
	}
	b.WriteString(p.Host)
	for i, segment := range strings.Split(p.EscapedPath(), "/") {
		if i > 0 {
			b.WriteByte('/')
		}
		b.WriteString(redactSegment(segment))
	}
	for i, pair := range splitQuery(p.RawQuery) {
		b.WriteByte("?&"[min(i, 1)])
		b.WriteString(redactPair(pair))
	}
	return b.String()
}

func splitQuery(raw string) []string {
	if raw == "" {
		return nil
	}
	return strings.Split(raw, "&")
}

// plainWord matches what is a word of an address rather than a token: letters
// alone, or a version.
var plainWord = regexp.MustCompile(`^(?:[A-Za-z]+(?:[-_.][A-Za-z]+)*|v[0-9]{1,2})$`)

// plainWordLimit is the number of bytes from which letters alone may be a token.
const plainWordLimit = 24

func redactSegment(s string) string {
	if s == "" || len(s) < plainWordLimit && plainWord.MatchString(s) {
		return s
	}
	return hidden
}

// redactPair hides the value of a query parameter, and its name too where it
// may be a token itself.
func redactPair(pair string) string {
	name, _, has := strings.Cut(pair, "=")
	if !has || redactSegment(name) == hidden {
		return hidden
	}
	return name + "=" + hidden
}
