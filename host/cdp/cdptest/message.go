package cdptest

import (
	"encoding/json"
	"strconv"
)

// mustJSON encodes a value of the mock's own making.
func mustJSON(v any) json.RawMessage {
	if raw, ok := v.(json.RawMessage); ok {
		return raw
	}
	data, err := json.Marshal(v)
	if err != nil {
		panic("cdptest: " + err.Error())
	}
	return data
}

// eventMessage returns an event in the shape of Chrome's: method, params, sessionId.
func eventMessage(sessionID, method string, params json.RawMessage) []byte {
	msg := make([]byte, 0, len(params)+len(method)+80)
	msg = append(msg, `{"method":"`...)
	msg = append(msg, method...)
	msg = append(msg, `","params":`...)
	msg = append(msg, params...)
	return closeMessage(msg, sessionID)
}

// replyMessage returns an answer in the shape of Chrome's: id, result or error, sessionId.
func replyMessage(id int64, sessionID string, r Reply) []byte {
	kind, body := "result", json.RawMessage("{}")
	switch {
	case r.Err != nil:
		kind, body = "error", mustJSON(r.Err)
	case r.Result != nil:
		body = mustJSON(r.Result)
	}
	msg := make([]byte, 0, len(body)+100)
	msg = append(msg, `{"id":`...)
	msg = strconv.AppendInt(msg, id, 10)
	msg = append(msg, `,"`...)
	msg = append(msg, kind...)
	msg = append(msg, `":`...)
	msg = append(msg, body...)
	return closeMessage(msg, sessionID)
}

func closeMessage(msg []byte, sessionID string) []byte {
	if sessionID != "" {
		msg = append(msg, `,"sessionId":"`...)
		msg = append(msg, sessionID...)
		msg = append(msg, '"')
	}
	return append(msg, '}')
}
