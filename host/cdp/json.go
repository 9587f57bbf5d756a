package cdp

import (
	"encoding/json"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// Pages put any UTF-16 into their strings, lone surrogates too; they must not
// cost the whole message.
var jsonOptions = jsonv2.JoinOptions(jsonv2.DefaultOptionsV2(), jsonv2.AllowInvalidUTF8(true))

// Marshal encodes v, usually one of cdproto's parameter types, as Params of a
// Command. When v can't be encoded the result is not JSON, so that Call and
// Post refuse it with ErrInvalidCommand and nothing is sent.
func Marshal(v any) json.RawMessage {
	b, err := jsonv2.Marshal(v, jsonOptions)
	if err != nil {
		return json.RawMessage("!" + err.Error())
	}
	return b
}

// Unmarshal decodes data into v, usually a pointer to one of cdproto's result
// or event types. Bytes that are not UTF-8 and lone surrogates become U+FFFD.
// v keeps nothing of data.
func Unmarshal(data []byte, v any) error {
	return jsonv2.Unmarshal(data, v, jsonOptions)
}
