package cdp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// Command is one CDP command. Without SessionID it is for the browser itself.
type Command struct {
	SessionID string
	Method    string
	Params    json.RawMessage // a JSON object, or empty for none
}

// check refuses what would break the envelope around it. Params that close
// their object early could otherwise name a session of their own.
func (cmd *Command) check() error {
	if cmd.Method == "" {
		return fmt.Errorf("%w: no method", ErrInvalidCommand)
	}
	if len(cmd.Params) == 0 {
		return nil
	}
	if p := bytes.TrimLeft(cmd.Params, " \t\r\n"); len(p) > 0 && p[0] == '{' && json.Valid(p) {
		return nil
	}
	return fmt.Errorf("%w: params are not a JSON object", ErrInvalidCommand)
}

// append adds the command's message to buf.
func (cmd *Command) append(buf []byte, id int64) []byte {
	buf = append(buf, `{"id":`...)
	buf = strconv.AppendInt(buf, id, 10)
	buf = append(buf, `,"method":`...)
	buf = appendQuoted(buf, cmd.Method)
	if len(cmd.Params) > 0 {
		buf = append(buf, `,"params":`...)
		buf = append(buf, cmd.Params...)
	}
	if cmd.SessionID != "" {
		buf = append(buf, `,"sessionId":`...)
		buf = appendQuoted(buf, cmd.SessionID)
	}
	return append(buf, '}')
}

func appendQuoted(buf []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			quoted, _ := json.Marshal(s) //nolint:errchkjson // a string always encodes
			return append(buf, quoted...)
		}
	}
	buf = append(buf, '"')
	buf = append(buf, s...)
	return append(buf, '"')
}
