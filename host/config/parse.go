package config

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// maxFileBytes bounds a configuration file; a bigger one is a mistake, and the
// YAML library's memory grows with many times its size.
const maxFileBytes = 1 << 20

// parseYAML returns the root mapping of a document, or nil for an empty one.
func parseYAML(file string, data []byte) (*yaml.Node, *Error) {
	if len(data) > maxFileBytes {
		return nil, &Error{Pos: Position{File: file}, Problem: "is bigger than 1 MiB"}
	}
	if err := checkCharacters(file, data); err != nil {
		return nil, err
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	if err := decoder.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, syntaxError(file, data, err)
	}
	var more yaml.Node
	if err := decoder.Decode(&more); err == nil {
		return nil, &Error{Pos: nodePosition(file, &more), Problem: "a second document; a file holds one"}
	} else if !errors.Is(err, io.EOF) {
		return nil, syntaxError(file, data, err)
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	return doc.Content[0], nil
}

func nodePosition(file string, n *yaml.Node) Position {
	return Position{File: file, Line: max(n.Line, 1), Column: max(n.Column, 1)}
}

// checkCharacters finds what the library reports without a place: bytes that
// are no UTF-8 and control characters.
func checkCharacters(file string, data []byte) *Error {
	pos := Position{File: file, Line: 1, Column: 1}
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		switch {
		case r == utf8.RuneError && size == 1:
			return &Error{Pos: pos, Problem: "is not UTF-8 text"}
		case r < ' ' && r != '\n' && r != '\r' && r != '\t', r == 0x7f, r == 0xfffe, r == 0xffff:
			return &Error{Pos: pos, Problem: "a control character " + strconv.QuoteRuneToASCII(r)}
		case r == '\n':
			pos.Line, pos.Column = pos.Line+1, 1
		default:
			pos.Column++
		}
		data = data[size:]
	}
	return nil
}

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)

// syntaxError gives the library's message the place it names, and the column
// of the first character of that line, because the library tells none.
func syntaxError(file string, data []byte, err error) *Error {
	lines := strings.Split(string(data), "\n")
	match := yamlLine.FindStringSubmatch(strings.SplitN(err.Error(), "\n", 2)[0])
	line, text := 1, err.Error()
	if match != nil {
		text = match[2]
		if n, convErr := strconv.Atoi(match[1]); convErr == nil {
			line = min(max(n, 1), len(lines))
		}
	}
	for i := line - 1; i < len(lines) && i <= line; i++ {
		if indent := leadingSpace(lines[i]); strings.Contains(indent, "\t") {
			return &Error{
				Pos:     Position{File: file, Line: i + 1, Column: strings.Index(indent, "\t") + 1},
				Problem: "a tab where YAML wants spaces",
			}
		}
	}
	return &Error{
		Pos:     Position{File: file, Line: line, Column: len(leadingSpace(lines[line-1])) + 1},
		Problem: "is not YAML: " + text,
	}
}

func leadingSpace(line string) string {
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}
