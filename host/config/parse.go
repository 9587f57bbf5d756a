package config

import (
	"bytes"
	"errors"
	"io"
	"strconv"
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
		case r == '\r' && !bytes.HasPrefix(data, []byte("\r\n")), r == 0x85, r == 0x2028, r == 0x2029:
			// YAML counts lines by them, and editors do not.
			return &Error{Pos: pos, Problem: "a line break " + strconv.QuoteRuneToASCII(r) + "; use line feeds"}
		case r == '\n':
			pos.Line, pos.Column = pos.Line+1, 1
		default:
			pos.Column++
		}
		data = data[size:]
	}
	return nil
}
