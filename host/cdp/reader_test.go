package cdp

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/hashicorp/go-hclog"
)

func TestEventsComeInOrder(t *testing.T) {
	t.Parallel()
	var got []string
	o := Options{Handler: func(ev Event) {
		got = append(got, fmt.Sprintf("%s|%s|%s", ev.SessionID, ev.Method, ev.Params))
	}}
	inBubble(t, o, func(t *testing.T, b *rig) {
		b.send(`{"method":"Page.frameAttached","params":{"frameId":"F"},"sessionId":"AB12"}`)
		b.send(`{"method":"Target.targetCreated","params":{}}`)
		b.send(`{"method":"Inspector.detached"}`)
		b.send(` { "sessionId" : "S\u0031", "params" : {"a": 1}, "method" : "Page.loadEventFired" } `)
		want := []string{
			`AB12|Page.frameAttached|{"frameId":"F"}`,
			`|Target.targetCreated|{}`,
			`|Inspector.detached|{}`,
			`S1|Page.loadEventFired|{"a": 1}`,
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("events are\n%q, want\n%q", got, want)
		}
		if s := b.Stats(); s.Events != 4 || s.Received != 4 || s.Parsed != 2 {
			t.Errorf("Stats = %+v, want 4 events, 2 of them parsed", s)
		}
	})
}

func TestHandlerPanicIsContained(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	o := Options{
		Handler: func(ev Event) { panic("boom in " + ev.Method) },
		Logger:  hclog.New(&hclog.LoggerOptions{Output: &log}),
	}
	inBubble(t, o, func(t *testing.T, b *rig) {
		b.send(`{"method":"A.b","params":{"secret":"s3cret"}}`)
		b.send(`{"method":"A.b","params":{}}`)
		p := b.start(t.Context(), Command{Method: "C.d"})
		b.send(`{"id":%d,"result":{}}`, b.recv().ID)
		_, err := p.wait()
		must(t, err)
		if s := b.Stats(); s.Panics != 2 || s.Events != 2 {
			t.Errorf("Stats = %+v, want 2 events and 2 panics", s)
		}
		if text := log.String(); !strings.Contains(text, "boom in A.b") || strings.Contains(text, "s3cret") {
			t.Errorf("log is %s", text)
		}
	})
}

func TestMessagesThatAreNotCDP(t *testing.T) {
	t.Parallel()
	for _, msg := range []string{"", "null", "[]", `{}`, `{"id":0}`, `{"method":5}`, `{"id":1,"result":`, "\x00\xff", `{"id":"1","result":{}}`} {
		t.Run(msg, func(t *testing.T) {
			t.Parallel()
			inBubble(t, Options{}, func(t *testing.T, b *rig) {
				b.send("%s", msg)
				if s := b.Stats(); s.Malformed != 1 || b.Err() != nil {
					t.Errorf("Malformed = %d, Err = %v", s.Malformed, b.Err())
				}
			})
		})
	}
}

func TestErrorWithoutID(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		p := b.start(t.Context(), Command{Method: "A.b"})
		id := b.recv().ID
		b.send(`{"error":{"code":-32700,"message":"JSON: unable to parse"}}`)
		b.send(`{"id":null,"error":{"code":-32700,"message":"JSON: unable to parse"}}`)
		if p.ended() {
			t.Error("an error that names no call ended one")
		}
		if s := b.Stats(); s.Unmatched != 2 {
			t.Errorf("Unmatched = %d, want 2", s.Unmatched)
		}
		b.send(`{"id":%d,"result":{}}`, id)
		_, err := p.wait()
		must(t, err)
	})
}

// The read buffer is used again; results must not change with it.
func TestResultsAreOwned(t *testing.T) {
	t.Parallel()
	for _, size := range []int{10, giveAway - 1, giveAway, 200_000, 2 << 20} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			t.Parallel()
			inBubble(t, Options{}, func(t *testing.T, b *rig) {
				result := func(c string) string { return `{"data":"` + strings.Repeat(c, size) + `"}` }
				first := b.start(t.Context(), Command{Method: "A.b"})
				b.send(`{"id":%d,"result":%s}`, b.recv().ID, result("x"))
				got, err := first.wait()
				must(t, err)
				for range 3 {
					p := b.start(t.Context(), Command{Method: "A.b"})
					b.send(`{"id":%d,"result":%s}`, b.recv().ID, result("y"))
					_, err := p.wait()
					must(t, err)
				}
				if string(got) != result("x") {
					t.Error("a result changed after it was handed out")
				}
				_ = append(got, "overwritten"...)
			})
		})
	}
}

func TestOversizedMessages(t *testing.T) {
	t.Parallel()
	const limit = 4096
	fill := func(format string, size int) string {
		msg := fmt.Sprintf(format, "")
		return fmt.Sprintf(format, strings.Repeat("x", size-len(msg)))
	}
	for _, tc := range []struct {
		name   string
		msg    string // the call's id is 1
		failed bool
	}{
		{"one byte over", fill(`{"id":1,"result":{"data":"%s"}}`, limit+1), true},
		{"much over", fill(`{"id":1,"result":{"data":"%s"},"sessionId":"S"}`, 100*limit), true},
		{"spaced", fill(` { "id" : 1, "result" : {"data":"%s"}}`, limit+1), true},
		{"session first", fill(`{"sessionId":"S","id":1,"result":{"data":"%s"}}`, limit+1), true},
		{"id last", fill(`{"result":{"data":"%s"},"id":1}`, limit+1), true},
		{"id last but one", fill(`{"result":{"data":"%s"}, "id": 1, "sessionId": "S"} `, 3*limit), true},
		{"event", fill(`{"method":"A.b","params":{"data":"%s"}}`, limit+1), false},
		{"event that quotes an id", fill(`{"method":"A.b","params":{"data":"%s,\"id\":1}"}}`, limit+1), false},
		{"event with the method last", fill(`{"params":{"id":1,"data":"%s"},"method":"A.b"}`, limit+1), false},
		{"another id", fill(`{"id":7,"result":{"data":"%s"}}`, limit+1), false},
		{"no id", fill(`{"result":{"id":1,"data":"%s"}}`, limit+1), false},
		{"exactly the limit", fill(`{"method":"A.b","params":{"data":"%s"}}`, limit), false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, Options{ReadLimit: limit}, func(t *testing.T, b *rig) {
				p := b.start(t.Context(), Command{Method: "Big.reply"})
				other := b.start(t.Context(), Command{Method: "Other.call"})
				b.recv()
				b.recv()
				b.send("%s", tc.msg)
				if p.ended() != tc.failed {
					t.Fatalf("ended = %v, want %v", p.ended(), tc.failed)
				}
				if tc.failed {
					_, err := p.wait()
					wantCallError(t, err, "Big.reply", nil, ErrReplyTooBig)
					if want := fmt.Sprintf("Big.reply: cdp: reply over the read limit: %d bytes, limit %d", len(tc.msg), limit); err.Error() != want {
						t.Errorf("text is %q, want %q", err, want)
					}
				}
				var want uint64 = 1
				if len(tc.msg) <= limit {
					want = 0
				}
				if n := b.Stats().Oversized; n != want {
					t.Errorf("Oversized = %d, want %d", n, want)
				}
				b.send(`{"id":2,"result":{}}`)
				_, err := other.wait()
				must(t, err)
			})
		})
	}
}

func TestReadErrorInsideAMessage(t *testing.T) {
	t.Parallel()
	for _, limit := range []int64{1 << 20, 8} {
		inBubble(t, Options{ReadLimit: limit}, func(t *testing.T, b *rig) {
			p := b.start(t.Context(), Command{Method: "A.b"})
			b.recv()
			b.sendReader(io.MultiReader(strings.NewReader(`{"id":1,"result":{`), iotest.ErrReader(io.ErrUnexpectedEOF)))
			_, err := p.wait()
			wantCallError(t, err, "A.b", ErrNoReply, io.ErrUnexpectedEOF)
			wantCallError(t, err, "A.b", ErrNoReply, ErrClosed)
		})
	}
}

func TestSessionsWithoutEnd(t *testing.T) {
	t.Parallel()
	last := ""
	inBubble(t, Options{Handler: func(ev Event) { last = ev.SessionID }}, func(t *testing.T, b *rig) {
		for i := range 2*maxNames + 1 {
			b.send(`{"method":"A.b","params":{},"sessionId":"S%d"}`, i)
		}
		if last != fmt.Sprintf("S%d", 2*maxNames) {
			t.Errorf("last session is %q", last)
		}
		must(t, b.Close())
		if n := len(b.dec.sessions.known); n > maxNames {
			t.Errorf("%d names kept, limit %d", n, maxNames)
		}
	})
}
