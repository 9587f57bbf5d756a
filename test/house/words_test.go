package house

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// foreign are words of one machine or of one author's desk. Each expression is
// written so that it does not match itself.
var foreign = []*regexp.Regexp{
	regexp.MustCompile(`(^|[^\w.])/(?:[w]ork|[r]oot|[h]ome/\w+|[U]sers/\w+)/`),
	regexp.MustCompile(`\.\./[s]hared|\b[s]hared/(?:\w|-)+\.md`),
	regexp.MustCompile(`/tmp/(?:[p]lan|[t]ools|[w]t)\b`),
	regexp.MustCompile(`(?i)\b(?:[w]orkplace|this [s]ession wrote|[w]ritten by an? (?:ai|agent|model))\b`),
	regexp.MustCompile(`\b[i]ssue M\d\b|\bM[1-8] of the [i]ssues\b`),
	regexp.MustCompile(`\b(?:[T]ODO|[F]IXME|[X]XX)\b`),
}

// TestTheProductSpeaksOfItselfAlone reads every text file.
func TestTheProductSpeaksOfItselfAlone(t *testing.T) {
	t.Parallel()
	for _, name := range files(t, func(name string) bool {
		return !strings.HasSuffix(name, ".sum") && !strings.Contains(name, "/testdata/fuzz/") && !strings.HasSuffix(name, "/accname.js")
	}) {
		text := read(t, name)
		if !utf8.ValidString(text) || strings.Contains(text, "\x00") {
			continue
		}
		for number, line := range strings.Split(text, "\n") {
			for _, words := range foreign {
				if found := words.FindString(line); found != "" {
					t.Errorf("%s:%d: %q has no place in the product", name, number+1, found)
				}
			}
		}
	}
}

// TestForeign makes sure that the check can fail, and on what.
func TestForeign(t *testing.T) {
	t.Parallel()
	slash := "/"
	for text, want := range map[string]bool{
		"see " + slash + "work/main/x":          true,
		`"` + slash + "home/joe/x":              true,
		".." + slash + "sha" + "red/design.md":  true,
		"// TO" + "DO: later":                   true,
		"https://example.com/work/":             false,
		"a shared/exclusive lock":               false,
		"GET /homepage/":                        false,
		"the root/leaf of the tree":             false,
		"a session of the browser wrote a file": false,
	} {
		got := false
		for _, words := range foreign {
			got = got || words.MatchString(text)
		}
		if got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}
