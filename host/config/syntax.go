package config

import (
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

var (
	yamlMessage = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)`)
	yamlAnchor  = regexp.MustCompile(`^unknown anchor '(.*)' referenced$`)
)

// syntaxError gives the library's message a place. The library tells at best
// the line where the broken construct begins, sometimes the one before, and no
// column.
func syntaxError(file string, data []byte, err error) *Error {
	text := string(data)
	lines := strings.Split(text, "\n")
	line, problem := 1, err.Error()
	if match := yamlMessage.FindStringSubmatch(problem); match != nil {
		problem = match[2]
		if n, convErr := strconv.Atoi(match[1]); convErr == nil {
			line = n
		}
	}
	at := func(line, column int) Position { return Position{File: file, Line: line, Column: column} }
	if match := yamlAnchor.FindStringSubmatch(problem); match != nil {
		line, column := find(text, "*"+match[1])
		return &Error{Pos: at(line, column), Problem: "no anchor &" + clip(match[1]) + " stands above"}
	}
	line = min(max(brokenLine(text, line), 1), len(lines))
	for i := line - 1; i < min(line+1, len(lines)); i++ {
		if tab := strings.Index(leadingSpace(lines[i]), "\t"); tab >= 0 {
			return &Error{Pos: at(i+1, tab+1), Problem: "a tab where YAML wants spaces"}
		}
	}
	return &Error{Pos: at(line, len(leadingSpace(lines[line-1]))+1), Problem: "is not YAML: " + problem}
}

// brokenLine returns the line after the longest run of lines from the start that
// is YAML by itself, or reported for a text that is too big to try them all.
func brokenLine(text string, reported int) int {
	const most = 8 << 20 // bytes to parse, about a second
	ends := lineEnds(text)
	if len(text)*len(ends)/2 > most {
		return reported
	}
	for i := len(ends) - 1; i >= 0; i-- {
		var doc yaml.Node
		if yaml.Unmarshal([]byte(text[:ends[i]]), &doc) == nil {
			return i + 2
		}
	}
	return 1
}

// lineEnds returns the offset behind each line feed.
func lineEnds(text string) []int {
	var ends []int
	for i := range len(text) {
		if text[i] == '\n' {
			ends = append(ends, i+1)
		}
	}
	return ends
}

// find returns the line and column of the first part in text.
func find(text, part string) (line, column int) {
	before := text[:max(strings.Index(text, part), 0)]
	line = strings.Count(before, "\n") + 1
	return line, len([]rune(before[strings.LastIndex(before, "\n")+1:])) + 1
}

func leadingSpace(line string) string {
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}
