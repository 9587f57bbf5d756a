package frame

import (
	"strings"
	"unicode/utf8"
)

const (
	// urlCap is the number of bytes kept of a URL; data: URLs can have megabytes,
	// and a page can have thousands of them.
	urlCap = 16 << 10
	// nameCap is the number of bytes kept of a frame's or a context's name.
	nameCap = 256
)

// text returns s as valid UTF-8 of at most n bytes, without half a character.
func text(s string, n int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.Clone(s[:n])
}
