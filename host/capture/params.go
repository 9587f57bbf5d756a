package capture

import (
	"bytes"
	"encoding/json"

	"cdphost/host/cdp"
	"cdphost/sdk/fault"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// maxDepth is how deep params may be nested. Chrome's parser gives up at 300 and
// answers without an id then, so that the call would wait for ever.
const maxDepth = 200

// rawParams are the params of a call as bytes that mean the same to whoever reads
// them.
func rawParams(params any) (json.RawMessage, error) {
	raw, ok := params.(json.RawMessage)
	if !ok && params != nil {
		raw = cdp.Marshal(params)
	}
	return checkParams(raw)
}

// checkParams refuses params that two readers could take for two things: what is
// checked here, and shown to validators, is what the browser acts on. So there is
// one object, no name comes twice in any of its objects, escaped or not, and all
// text is Unicode.
func checkParams(raw json.RawMessage) (json.RawMessage, error) {
	trimmed := bytes.Trim(raw, " \t\r\n")
	switch {
	case len(trimmed) == 0 || string(trimmed) == "null":
		return nil, nil
	case trimmed[0] != '{':
		return nil, fault.New(fault.InvalidArgument, "the params are not a JSON object")
	case depth(trimmed) > maxDepth:
		return nil, fault.New(fault.InvalidArgument, "the params are nested deeper than %d", maxDepth)
	case !jsonv2.Value(trimmed).IsValid():
		return nil, fault.New(fault.InvalidArgument, "the params are not valid JSON in which each name comes once and all text is UTF-8")
	}
	return json.RawMessage(trimmed), nil
}

// depth is how deep a JSON text is nested at most.
func depth(raw []byte) int {
	now, deepest, quoted := 0, 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			now++
			deepest = max(deepest, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return deepest
}

// fields are checked params by name, as the browser reads them: names are exact.
type fields map[string]json.RawMessage

func fieldsOf(params json.RawMessage) fields {
	p := fields{}
	if len(params) > 0 {
		_ = json.Unmarshal(params, &p) // checked before
	}
	return p
}

// text is the value of a string, "" when it is none.
func (p fields) text(name string) string {
	var s string
	_ = json.Unmarshal(p[name], &s) // another type: Chrome refuses it itself
	return s
}

// set puts a value in and returns the params anew.
func (p fields) set(name string, v any) json.RawMessage {
	p[name] = cdp.Marshal(v)
	return cdp.Marshal(p)
}
