package cdp

import (
	"bytes"
	"encoding/json"
	"strconv"
)

var emptyObject = []byte(`{}`)

// parse takes apart a message of any shape. It reports false when msg is not a
// JSON object, or neither a reply nor an event nor an error without id. A
// missing body is the empty object; of a repeated member the last counts, as
// in encoding/json.
func parse(msg []byte, e *envelope) bool {
	*e = envelope{}
	if !json.Valid(msg) {
		return false
	}
	w := walker{rest: msg}
	if !w.skip('{') {
		return false
	}
	params, result := emptyObject, emptyObject
	for !w.at('}') {
		key := unquote(w.value())
		w.skip(':')
		value := w.value()
		w.skip(',')
		switch string(key) {
		case "id":
			e.id = parseID(value)
		case "method":
			e.method = unquote(value)
		case "sessionId":
			e.session = unquote(value)
		case "params":
			params = orEmpty(value)
		case "result":
			result = orEmpty(value)
		case "error":
			e.fault = value
		}
	}
	if string(e.fault) == "null" {
		e.fault = nil
	}
	switch {
	case e.id == 0 && len(e.method) != 0:
		e.body, e.fault = params, nil
	case e.id != 0 && e.fault == nil:
		e.body = result
	}
	if e.id != 0 {
		e.method = nil
	}
	return e.isReply() || e.isEvent() || e.isStray()
}

func orEmpty(value []byte) []byte {
	if string(value) == "null" {
		return emptyObject
	}
	return value
}

// parseID returns 0 for what is not the id of a command.
func parseID(value []byte) int64 {
	id, err := strconv.ParseInt(string(value), 10, 64)
	if err != nil || id < 0 {
		return 0
	}
	return id
}

// unquote returns the text of a JSON string, or nil for any other value.
func unquote(value []byte) []byte {
	if value[0] != '"' {
		return nil
	}
	if text := value[1 : len(value)-1]; bytes.IndexByte(text, '\\') < 0 {
		return text
	}
	var s string
	if json.Unmarshal(value, &s) != nil {
		return nil
	}
	return []byte(s)
}

// walker steps through a text that is known to be valid JSON.
type walker struct{ rest []byte }

func (w *walker) space() { w.rest = bytes.TrimLeft(w.rest, " \t\r\n") }

// at reports whether c comes next.
func (w *walker) at(c byte) bool {
	w.space()
	return len(w.rest) > 0 && w.rest[0] == c
}

// skip steps over c if it comes next.
func (w *walker) skip(c byte) bool {
	if !w.at(c) {
		return false
	}
	w.rest = w.rest[1:]
	return true
}

// value steps over one value and returns it.
func (w *walker) value() []byte {
	w.space()
	var n int
	switch w.rest[0] {
	case '"':
		n = stringLen(w.rest)
	case '{', '[':
		n = nestedLen(w.rest)
	default:
		if n = bytes.IndexAny(w.rest, ",}] \t\r\n"); n < 0 {
			n = len(w.rest)
		}
	}
	v := w.rest[:n:n]
	w.rest = w.rest[n:]
	return v
}

func stringLen(b []byte) int {
	n := 1
	for b[n] != '"' {
		if b[n] == '\\' {
			n++
		}
		n++
	}
	return n + 1
}

func nestedLen(b []byte) int {
	var n, depth int
	for {
		switch b[n] {
		case '"':
			n += stringLen(b[n:])
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if n++; depth == 0 {
			return n
		}
	}
}
