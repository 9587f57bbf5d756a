package page

import (
	"fmt"
	"strings"

	"cdphost/sdk/fault"
)

// cursor is how far a page has been read: the last line of the element list,
// and offsets into markdown and text, in bytes.
type cursor struct {
	uid      string // of the last element told; "" for none
	line     int    // its line, in case the element has gone
	markdown int
	text     int
}

func (c cursor) String() string {
	return fmt.Sprintf("%s.%d.%d.%d", c.uid, c.line, c.markdown, c.text)
}

func parseCursor(s string) (cursor, error) {
	var c cursor
	if s == "" {
		return c, nil
	}
	uid, rest, _ := strings.Cut(s, ".")
	c.uid = uid
	var extra string
	if n, _ := fmt.Sscanf(rest, "%d.%d.%d%s", &c.line, &c.markdown, &c.text, &extra); n != 3 || c.line < 0 || c.markdown < 0 || c.text < 0 ||
		c.markdown > mostBytes*64 || c.text > mostBytes*64 {
		return cursor{}, fault.New(fault.InvalidAction, "%q is no cursor; use the one of the last reply", s)
	}
	return c, nil
}

// page puts into out what comes after the cursor and fits the budget: half for
// the elements, most of the rest for markdown; what one leaves the others take.
func (c cursor) page(list *listing, words *reading, budget int, out *extracted) {
	lines := list.lines[c.start(list):]
	markdown := words.markdown[min(c.markdown, len(words.markdown)):]
	plain := words.text[min(c.text, len(words.text)):]

	need := [3]int{linesSize(lines, budget), size(markdown), size(plain)}
	share := shares(budget, need)
	next := c
	taken, elements := takeLines(lines, share[0])
	out.Elements = elements
	next.line = c.start(list) + taken
	for i := taken - 1; i >= 0; i-- {
		if lines[i].uid != "" {
			next.uid = lines[i].uid
			break
		}
	}
	out.Markdown = takeText(markdown, share[1])
	out.Text = takeText(plain, share[2])
	next.markdown += len(out.Markdown)
	next.text += len(out.Text)
	out.Truncated = taken < len(lines) || list.cut || len(out.Markdown) < len(markdown) || len(out.Text) < len(plain) || words.cut
	if out.Truncated && next != c {
		out.Cursor = next.String()
	}
}

// start is the first line not yet told.
func (c cursor) start(list *listing) int {
	if c.uid != "" {
		for i := range list.lines {
			if list.lines[i].uid == c.uid {
				return i + 1
			}
		}
	}
	return min(c.line, len(list.lines))
}

// shares divides a budget among elements, markdown and text.
func shares(budget int, need [3]int) [3]int {
	weight := [3]int{4, 3, 1}
	share := [3]int{}
	open := [3]bool{true, true, true}
	for range share {
		total := 0
		for i := range open {
			if open[i] {
				total += weight[i]
			}
		}
		settled := false
		for i := range open {
			if fair := budget * weight[i] / max(total, 1); open[i] && need[i] <= fair {
				share[i], open[i], settled = need[i], false, true
				budget -= need[i]
				break
			}
		}
		if !settled {
			for i := range open {
				if open[i] {
					share[i] = budget * weight[i] / total
				}
			}
			break
		}
	}
	return share
}

// size is the length of s as JSON, without its quotes.
func size(s string) int {
	n := len(s)
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\' || c == '\n' || c == '\t' || c == '\r':
			n++
		case c < ' ' || c == '<' || c == '>' || c == '&':
			n += 5
		}
	}
	return n
}

func linesSize(lines []line, enough int) int {
	n := 0
	for i := range lines {
		if n += size(lines[i].text) + 2; n > 2*enough {
			break
		}
	}
	return n
}

func takeLines(lines []line, budget int) (int, string) {
	var b strings.Builder
	used := 0
	for i := range lines {
		used += size(lines[i].text) + 2
		if used > budget {
			return i, b.String()
		}
		b.WriteString(lines[i].text)
		b.WriteByte('\n')
	}
	return len(lines), b.String()
}

// takeText cuts a text to a budget, at the end of a line or word where one is near.
func takeText(s string, budget int) string {
	if size(s) <= budget {
		return s
	}
	n := 0
	for n < len(s) {
		w := size(s[n : n+1])
		if budget < w {
			break
		}
		budget -= w
		n++
	}
	s = cut(s, n)
	if i := strings.LastIndexAny(s, "\n "); i > len(s)/2 {
		s = s[:i+1]
	}
	return s
}
