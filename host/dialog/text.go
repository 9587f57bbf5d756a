package dialog

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// urlCap is the number of characters kept of a dialog's URL; data: and blob:
	// URLs can be megabytes long.
	urlCap = 2048
	// noteCap is the number of characters kept of what plugins and agents write.
	noteCap = 500
)

// valid returns s as valid UTF-8.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// clean returns s as valid UTF-8 in which control characters other than tab and
// the line ends are replaced, so that it can go anywhere text goes.
func clean(s string) string {
	dirty := false
	for _, r := range s {
		if r == utf8.RuneError || control(r) {
			dirty = true
			break
		}
	}
	if !dirty {
		return s
	}
	return strings.Map(func(r rune) rune {
		if control(r) {
			return utf8.RuneError
		}
		return r
	}, valid(s))
}

func control(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r'
}

// cut returns the first n characters of s and whether there were more. The rest
// of a longer string is not kept alive.
func cut(s string, n int) (string, bool) {
	if len(s) <= n {
		return s, false
	}
	for i := range s {
		if n == 0 {
			return strings.Clone(s[:i]), true
		}
		n--
	}
	return s, false
}

func clip(s string, n int) string {
	s, _ = cut(s, n)
	return s
}
