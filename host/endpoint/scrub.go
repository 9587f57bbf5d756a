package endpoint

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Scrub returns err with a text from which the secrets of u, and those of every
// other URL it quotes, are taken out. Errors of net/http and of WebSocket
// libraries quote the address they were given, so whatever comes from dialling u
// must pass here before it is shown. The result answers errors.Is as err does
// and keeps Timeout of net.Error, but does not unwrap: what it wraps would print
// the secrets. Scrub(nil) is nil.
func (u URL) Scrub(err error) error {
	if err == nil {
		return nil
	}
	return &scrubbedError{text: u.ScrubText(err.Error()), cause: err}
}

// ScrubText returns s without the secrets of u and of every URL in s.
func (u URL) ScrubText(s string) string {
	s = quotedURL.ReplaceAllStringFunc(s, redactText)
	for _, secret := range u.secrets() {
		s = strings.ReplaceAll(s, secret, hidden)
	}
	return s
}

type scrubbedError struct {
	text  string
	cause error
}

func (e *scrubbedError) Error() string { return e.text }

// Format prints the text for every verb: the cause must not be printed through
// reflection either.
func (e *scrubbedError) Format(f fmt.State, verb rune) {
	if verb != 'q' {
		verb = 's'
	}
	_, _ = fmt.Fprintf(f, fmt.FormatString(f, verb), e.text)
}

func (e *scrubbedError) Is(target error) bool { return errors.Is(e.cause, target) }

func (e *scrubbedError) Timeout() bool {
	var t net.Error
	return errors.As(e.cause, &t) && t.Timeout()
}

var quotedURL = regexp.MustCompile(`(?i)\b(?:https?|wss?|socks5h?)://[^\s"'<>\\` + "`" + `]+`)

func redactText(raw string) string {
	trimmed := strings.TrimRight(raw, ".,:;)]}")
	p, err := url.Parse(trimmed)
	if err != nil {
		scheme, _, _ := strings.Cut(raw, "://")
		return scheme + "://" + hidden
	}
	return redact(p) + raw[len(trimmed):]
}

// secretMin is the number of bytes below which a value is left alone when it
// stands by itself: shorter ones are switches such as 1 or on, and would take
// ordinary words out of the text.
const secretMin = 4

// secrets returns what String hides, as written and decoded, longest first.
func (u URL) secrets() []string {
	if u.IsZero() {
		return nil
	}
	p := u.parts()
	var found []string
	add := func(s string) {
		if len(s) >= secretMin && s != "true" && s != "false" {
			found = append(found, s)
		}
	}
	if p.User != nil {
		password, _ := p.User.Password()
		add(password)
		add(url.QueryEscape(password))
		add(p.User.Username())
		add(p.User.String())
	}
	for _, segment := range strings.Split(p.EscapedPath(), "/") {
		if redactSegment(segment) == hidden {
			add(segment)
			if s, err := url.PathUnescape(segment); err == nil {
				add(s)
			}
		}
	}
	for _, pair := range splitQuery(p.RawQuery) {
		name, value, has := strings.Cut(pair, "=")
		if !has {
			value = name
		}
		add(value)
		if s, err := url.QueryUnescape(value); err == nil {
			add(s)
		}
	}
	slices.SortFunc(found, func(a, b string) int { return len(b) - len(a) })
	return slices.Compact(found)
}
