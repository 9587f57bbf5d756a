package tasks

import (
	"fmt"
	"strings"
)

// extract returns the list of elements, whole.
func (a *agent) extract() []string {
	a.t.Helper()
	list := fmt.Sprint(a.do(obj{"type": "extract", "max_bytes": 200_000})["elements"])
	return strings.Split(strings.TrimSuffix(list, "\n"), "\n")
}

// text returns what the page says.
func (a *agent) text() string {
	a.t.Helper()
	return fmt.Sprint(a.do(obj{"type": "extract", "max_bytes": 200_000})["text"])
}

// all returns the uids of the elements whose lines have all the words, and their lines.
func (a *agent) all(words ...string) (uids, lines []string) {
	a.t.Helper()
	for _, l := range a.extract() {
		if has(l, words) {
			uid, _, _ := strings.Cut(l, " ")
			uids, lines = append(uids, uid), append(lines, l)
		}
	}
	return uids, lines
}

func has(line string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(line, w) {
			return false
		}
	}
	return true
}

// uid returns the one element whose line has all the words.
func (a *agent) uid(words ...string) string {
	a.t.Helper()
	uids, lines := a.all(words...)
	if len(uids) != 1 {
		a.t.Fatalf("%d elements have %q: %q in\n%s", len(uids), words, lines, strings.Join(a.extract(), "\n"))
	}
	return uids[0]
}

// click clicks the one element whose line has all the words.
func (a *agent) click(words ...string) obj {
	a.t.Helper()
	return a.do(obj{"type": "click", "uid": a.uid(words...)})
}

// fill types into the one element whose line has all the words.
func (a *agent) fill(text string, words ...string) obj {
	a.t.Helper()
	return a.do(obj{"type": "type", "uid": a.uid(words...), "text": text})
}

// press presses keys one after the other.
func (a *agent) press(keys ...string) {
	a.t.Helper()
	for _, k := range keys {
		a.do(obj{"type": "press_key", "key": k})
	}
}

// wait waits for a text.
func (a *agent) wait(text string) {
	a.t.Helper()
	a.do(obj{"type": "wait_for", "text": text, "timeout": 10})
}

// parts takes the goal apart: in the pattern, each * stands for a part.
func (a *agent) parts(pattern string) []string {
	a.t.Helper()
	fixed := strings.Split(pattern, "*")
	rest, ok := strings.CutPrefix(a.goal, fixed[0])
	var out []string
	for i := 1; i < len(fixed) && ok; i++ {
		var part string
		if i == len(fixed)-1 {
			part, ok = strings.CutSuffix(rest, fixed[i])
		} else {
			part, rest, ok = strings.Cut(rest, fixed[i])
		}
		out = append(out, part)
	}
	if !ok {
		a.t.Fatalf("the goal %q is not as in %q", a.goal, pattern)
	}
	return out
}
