package tool

import "unicode/utf8"

// How much of what a page controls is shown, in bytes. Dialog messages and the
// URLs of frames have caps of their own where they are read.
const (
	maxTitle = 500
	maxURL   = 4096
)

func clipTitle(text string) string { return clip(text, maxTitle) }

func clipURL(text string) string { return clip(text, maxURL) }

func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit] + "…"
}
