package cdp

import "bytes"

const (
	// maxName bounds how far a scan looks for the end of a method or session.
	maxName = 128

	// maxDigits keeps an id within int64 without a check of each step.
	maxDigits = 18
)

var (
	eventHead   = []byte(`{"method":"`)
	replyHead   = []byte(`{"id":`)
	paramsKey   = []byte(`,"params":`)
	resultKey   = []byte(`,"result":`)
	errorKey    = []byte(`,"error":`)
	sessionTail = []byte(`,"sessionId":`)
)

// scan takes apart a message in the shape that Chrome writes, without reading
// its body:
//
//	{"method":"M","params":{...}}            {"id":1,"result":{...}}
//	{"method":"M","params":{...},"sessionId":"S"}   {"id":1,"error":{...},"sessionId":"S"}
//
// It reports false for every other shape, which says nothing about the
// message; parse takes those. When msg is valid JSON and scan reports true,
// then either e is what parse finds, or a member that Chrome does not write
// follows the body and body is not valid JSON.
func scan(msg []byte, e *envelope) bool {
	*e = envelope{}
	switch {
	case bytes.HasPrefix(msg, eventHead):
		return scanEvent(msg, e)
	case bytes.HasPrefix(msg, replyHead):
		return scanReply(msg, e)
	}
	return false
}

func scanEvent(msg []byte, e *envelope) bool {
	rest := msg[len(eventHead):]
	end := bytes.IndexByte(rest[:min(len(rest), maxName)], '"')
	if end <= 0 || bytes.IndexByte(rest[:end], '\\') >= 0 {
		return false
	}
	e.method = rest[:end]
	rest = rest[end+1:]
	if !bytes.HasPrefix(rest, paramsKey) {
		return false
	}
	e.body, e.session = scanTail(rest[len(paramsKey):])
	return e.body != nil
}

func scanReply(msg []byte, e *envelope) bool {
	rest := msg[len(replyHead):]
	var n int
	for n < len(rest) && n <= maxDigits && rest[n]-'0' <= 9 {
		e.id = e.id*10 + int64(rest[n]-'0')
		n++
	}
	if n == 0 || n > maxDigits || rest[0] == '0' {
		return false
	}
	rest = rest[n:]
	if bytes.HasPrefix(rest, resultKey) {
		e.body, e.session = scanTail(rest[len(resultKey):])
		return e.body != nil
	}
	if bytes.HasPrefix(rest, errorKey) {
		e.fault, e.session = scanTail(rest[len(errorKey):])
		return e.fault != nil
	}
	return false
}

// scanTail splits what follows the body's key into the body, an object, and
// the session behind it. The last brace of a JSON object is its own, so a
// string in front of it is the value of a member of the outermost object; and
// an unescaped quote behind a comma opens a string, so what looks like the
// session's key is one. body is nil when the shape is another.
func scanTail(rest []byte) (body, session []byte) {
	last := len(rest) - 1
	if last < 2 || rest[0] != '{' || rest[last] != '}' {
		return nil, nil
	}
	switch rest[last-1] {
	case '}':
		return rest[:last:last], nil
	case '"':
	default:
		return nil, nil
	}
	from := max(0, last-1-maxName)
	open := bytes.LastIndexByte(rest[from:last-1], '"')
	if open < 0 {
		return nil, nil
	}
	open += from
	session = rest[open+1 : last-1]
	head := rest[:open]
	if len(session) == 0 || !bytes.HasSuffix(head, sessionTail) || bytes.IndexByte(session, '\\') >= 0 {
		return nil, nil
	}
	end := len(head) - len(sessionTail)
	if end < 2 || head[end-1] != '}' {
		return nil, nil
	}
	return head[:end:end], session
}
