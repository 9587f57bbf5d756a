package subagent

import (
	"crypto/rand"
	"strings"
)

// newMark makes the word by which a run sets apart what pages wrote. A page
// can't know it, so it can't end its own part.
func newMark() string { return strings.ToLower(rand.Text()[:8]) }

func openMark(mark string) string  { return "<page " + mark + ">" }
func closeMark(mark string) string { return "</page " + mark + ">" }

// fence sets page-controlled text apart.
func fence(mark, text string) string {
	text = strings.ReplaceAll(text, mark, "")
	return openMark(mark) + "\n" + strings.TrimRight(text, "\n") + "\n" + closeMark(mark)
}
