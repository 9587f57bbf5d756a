package cdp

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
)

// shapes are messages as Chrome writes them, and near misses.
var shapes = []struct {
	name, msg string
	scans     bool
	want      envelope
}{
	{"event", `{"method":"Page.loadEventFired","params":{"timestamp":1.5},"sessionId":"0123456789ABCDEF0123456789ABCDEF"}`, true,
		envelope{method: []byte("Page.loadEventFired"), body: []byte(`{"timestamp":1.5}`), session: []byte("0123456789ABCDEF0123456789ABCDEF")}},
	{"browser event", `{"method":"Target.targetCreated","params":{"targetInfo":{"url":"x"}}}`, true,
		envelope{method: []byte("Target.targetCreated"), body: []byte(`{"targetInfo":{"url":"x"}}`)}},
	{"event with empty params", `{"method":"A.b","params":{}}`, true, envelope{method: []byte("A.b"), body: []byte(`{}`)}},
	{"event without params", `{"method":"A.b"}`, false, envelope{method: []byte("A.b"), body: []byte(`{}`)}},
	{"session in the params", `{"method":"A.b","params":{"a":1,"sessionId":"S"}}`, true,
		envelope{method: []byte("A.b"), body: []byte(`{"a":1,"sessionId":"S"}`)}},
	{"quoted session in the params", `{"method":"A.b","params":{"a":"},\"sessionId\":\"S"},"sessionId":"T"}`, true,
		envelope{method: []byte("A.b"), body: []byte(`{"a":"},\"sessionId\":\"S"}`), session: []byte("T")}},
	{"string that ends like a session", `{"method":"A.b","params":{},"x":",\"sessionId\":\"S"}`, false,
		envelope{method: []byte("A.b"), body: []byte(`{}`)}},
	{"escaped session", `{"method":"A.b","params":{},"sessionId":"S\"\u0041"}`, false,
		envelope{method: []byte("A.b"), body: []byte(`{}`), session: []byte(`S"A`)}},
	{"escaped method", `{"method":"A.\u0062","params":{}}`, false, envelope{method: []byte("A.b"), body: []byte(`{}`)}},
	{"params null", `{"method":"A.b","params":null}`, false, envelope{method: []byte("A.b"), body: []byte(`{}`)}},
	{"reply", `{"id":12,"result":{"a":{}},"sessionId":"S"}`, true, envelope{id: 12, body: []byte(`{"a":{}}`), session: []byte("S")}},
	{"browser reply", `{"id":1,"result":{}}`, true, envelope{id: 1, body: []byte(`{}`)}},
	{"largest scanned id", `{"id":999999999999999999,"result":{}}`, true, envelope{id: 999999999999999999, body: []byte(`{}`)}},
	{"largest id", `{"id":9223372036854775807,"result":{}}`, false, envelope{id: 9223372036854775807, body: []byte(`{}`)}},
	{"reply without result", `{"id":3}`, false, envelope{id: 3, body: []byte(`{}`)}},
	{"reply with an array", `{"id":3,"result":[1]}`, false, envelope{id: 3, body: []byte(`[1]`)}},
	{"error", `{"id":98,"error":{"code":-32001,"message":"Session with given id not found."}}`, true,
		envelope{id: 98, fault: []byte(`{"code":-32001,"message":"Session with given id not found."}`)}},
	{"error with session", `{"id":98,"error":{"code":-1,"message":"m"},"sessionId":"S"}`, true,
		envelope{id: 98, fault: []byte(`{"code":-1,"message":"m"}`), session: []byte("S")}},
	{"error without id", `{"error":{"code":-32700,"message":"JSON: bad"}}`, false, envelope{fault: []byte(`{"code":-32700,"message":"JSON: bad"}`)}},
	{"error null", `{"id":1,"error":null,"result":{"a":1}}`, false, envelope{id: 1, body: []byte(`{"a":1}`)}},
	{"session first", `{"sessionId":"S","method":"A.b","params":{}}`, false,
		envelope{method: []byte("A.b"), body: []byte(`{}`), session: []byte("S")}},
	{"spaced", ` { "id" : 5 , "result" : { "a" : [ "]" , "}" ] } , "sessionId" : "S" } `, false,
		envelope{id: 5, body: []byte(`{ "a" : [ "]" , "}" ] }`), session: []byte("S")}},
	{"trailing newline", `{"id":5,"result":{}}` + "\n", false, envelope{id: 5, body: []byte(`{}`)}},
	{"id last", `{"result":{"id":1},"id":5}`, false, envelope{id: 5, body: []byte(`{"id":1}`)}},
	{"repeated id", `{"id":4,"id":5,"result":{}}`, false, envelope{id: 5, body: []byte(`{}`)}},
	{"escaped key", `{"\u0069d":5,"result":{}}`, false, envelope{id: 5, body: []byte(`{}`)}},
	{"unknown member", `{"id":5,"result":{},"time":1}`, false, envelope{id: 5, body: []byte(`{}`)}},
	{"empty session", `{"id":5,"result":{},"sessionId":""}`, false, envelope{id: 5, body: []byte(`{}`)}},
}

func TestShapes(t *testing.T) {
	t.Parallel()
	for _, tc := range shapes {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var e envelope
			if got := scan([]byte(tc.msg), &e); got != tc.scans {
				t.Fatalf("scan = %v, want %v", got, tc.scans)
			}
			if tc.scans && !e.equal(&tc.want) {
				t.Errorf("scan found %s", describe(&e))
			}
			if !parse([]byte(tc.msg), &e) {
				t.Fatal("parse = false")
			}
			if !e.equal(&tc.want) {
				t.Errorf("parse found %s", describe(&e))
			}
		})
	}
}

func describe(e *envelope) string {
	return strings.Join([]string{strconv.FormatInt(e.id, 10), string(e.method), string(e.session), string(e.body), string(e.fault)}, " | ")
}

// oracle takes msg apart with encoding/json alone.
func oracle(msg []byte) (envelope, bool) {
	var m map[string]json.RawMessage
	if json.Unmarshal(msg, &m) != nil || m == nil {
		return envelope{}, false
	}
	text := func(key string) []byte {
		var s *string
		if json.Unmarshal(m[key], &s) != nil || s == nil {
			return nil
		}
		return []byte(*s)
	}
	object := func(key string) []byte {
		if v, ok := m[key]; ok && string(v) != "null" {
			return v
		}
		return []byte(`{}`)
	}
	e := envelope{session: text("sessionId")}
	if id, err := strconv.ParseInt(string(m["id"]), 10, 64); err == nil && id > 0 {
		e.id = id
	}
	fault := m["error"]
	if string(fault) == "null" {
		fault = nil
	}
	switch method := text("method"); {
	case e.id != 0 && fault != nil:
		e.fault = fault
	case e.id != 0:
		e.body = object("result")
	case len(method) != 0:
		e.method, e.body = method, object("params")
	case fault != nil:
		e.fault = fault
	default:
		return e, false
	}
	return e, true
}

// sameText is equal, except that encoding/json replaces bytes in names that are
// not UTF-8.
func sameText(a, b *envelope) bool {
	valid := func(e *envelope) *envelope {
		c := *e
		c.method = bytes.ToValidUTF8(e.method, []byte("\ufffd"))
		c.session = bytes.ToValidUTF8(e.session, []byte("\ufffd"))
		return &c
	}
	return valid(a).equal(valid(b))
}

func FuzzScan(f *testing.F) {
	for _, s := range shapes {
		f.Add([]byte(s.msg))
	}
	f.Add([]byte(`{"method":"A.b","params":{},"x":{}}`))
	f.Add([]byte(`{"id":1,"result":{},"id":2,"y":{"a":"\\"},"sessionId":"S"}`))
	f.Fuzz(func(t *testing.T, msg []byte) {
		if bytes.Contains(msg, []byte{0xff}) || !bytes.Equal(bytes.ToValidUTF8(msg, nil), msg) {
			t.Skip("runs of bytes that are not UTF-8 are replaced in more than one way")
		}
		var scanned, parsed envelope
		want, ok := oracle(msg)
		if got := parse(msg, &parsed); got != ok {
			t.Fatalf("parse = %v, encoding/json %v", got, ok)
		}
		if ok && !sameText(&parsed, &want) {
			t.Fatalf("parse found %s\nencoding/json %s", describe(&parsed), describe(&want))
		}
		if !scan(msg, &scanned) || !json.Valid(msg) {
			return
		}
		body := scanned.body
		if body == nil {
			body = scanned.fault
		}
		if json.Valid(body) && !scanned.equal(&want) {
			t.Fatalf("scan found %s\nencoding/json %s", describe(&scanned), describe(&want))
		}
	})
}
