package cdp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"
)

// event is a console event of about size bytes.
func event(size int) []byte {
	const session = "0123456789ABCDEF0123456789ABCDEF"
	msg := fmt.Sprintf(`{"method":"Runtime.consoleAPICalled","params":{"type":"log","args":[{"type":"string","value":"%%s"}]},"sessionId":"%s"}`, session)
	return fmt.Appendf(nil, msg, strings.Repeat("x", max(0, size-len(msg)+2)))
}

var scanKinds = []struct {
	name string
	msg  []byte
}{
	{"event 250 B", event(250)},
	{"event 1 KB", event(1024)},
	{"event 1 MB", event(1 << 20)},
	{"browser event", []byte(`{"method":"Target.targetInfoChanged","params":{"targetInfo":{"targetId":"T","url":"http://a.test/"}}}`)},
	{"reply", []byte(`{"id":12345,"result":{"result":{"type":"number","value":1}},"sessionId":"0123456789ABCDEF0123456789ABCDEF"}`)},
	{"reply 1 MB", fmt.Appendf(nil, `{"id":12345,"result":{"data":"%s"},"sessionId":"0123456789ABCDEF0123456789ABCDEF"}`, strings.Repeat("x", 1<<20))},
	{"error", []byte(`{"id":12345,"error":{"code":-32602,"message":"No dialog is showing"},"sessionId":"0123456789ABCDEF0123456789ABCDEF"}`)},
}

func BenchmarkScan(b *testing.B) {
	for _, k := range scanKinds {
		b.Run(k.name, func(b *testing.B) {
			var e envelope
			b.ReportAllocs()
			for b.Loop() {
				if !scan(k.msg, &e) {
					b.Fatal("another shape")
				}
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	for _, k := range scanKinds {
		b.Run(k.name, func(b *testing.B) {
			var e envelope
			b.ReportAllocs()
			for b.Loop() {
				if !parse(k.msg, &e) {
					b.Fatal("not CDP")
				}
			}
		})
	}
}

// flood sends msg until the client goes.
func flood(msg []byte) func(context.Context, *websocket.Conn) {
	return func(ctx context.Context, ws *websocket.Conn) {
		for ws.Write(ctx, websocket.MessageText, msg) == nil {
		}
	}
}

// BenchmarkEventPath sets the Conn beside a loop that only reads, on the same
// kind of socket.
func BenchmarkEventPath(b *testing.B) {
	for _, size := range []int{250, 1024, 16 << 10} {
		msg := event(size)
		b.Run(fmt.Sprintf("bare read loop/%d", size), func(b *testing.B) { benchBareRead(b, msg) })
		b.Run(fmt.Sprintf("bare reused buffer/%d", size), func(b *testing.B) { benchBareReader(b, msg) })
		b.Run(fmt.Sprintf("conn/%d", size), func(b *testing.B) { benchEvents(b, msg) })
	}
}

func dialBare(b *testing.B, msg []byte) *websocket.Conn {
	b.Helper()
	client := &http.Client{Transport: &http.Transport{}}
	ws, _, err := websocket.Dial(context.Background(), newServer(b, flood(msg)), &websocket.DialOptions{HTTPClient: client})
	if err != nil {
		b.Fatal(err)
	}
	ws.SetReadLimit(-1)
	b.Cleanup(func() { _ = ws.CloseNow() })
	b.SetBytes(int64(len(msg)))
	b.ReportAllocs()
	return ws
}

func benchBareRead(b *testing.B, msg []byte) {
	ws, ctx := dialBare(b, msg), context.Background()
	for b.Loop() {
		if _, _, err := ws.Read(ctx); err != nil {
			b.Fatal(err)
		}
	}
}

func benchBareReader(b *testing.B, msg []byte) {
	ws, ctx := dialBare(b, msg), context.Background()
	buf := make([]byte, 2*len(msg))
	for b.Loop() {
		_, r, err := ws.Reader(ctx)
		if err != nil {
			b.Fatal(err)
		}
		for err == nil {
			_, err = r.Read(buf)
		}
		if !errors.Is(err, io.EOF) {
			b.Fatal(err)
		}
	}
}

func benchEvents(b *testing.B, msg []byte) {
	n, done := 0, make(chan struct{})
	total := b.N
	b.SetBytes(int64(len(msg)))
	b.ReportAllocs()
	c := dialConn(b, newServer(b, flood(msg)), Options{Handler: func(Event) {
		if n++; n == total {
			close(done)
		}
	}})
	b.ResetTimer()
	<-done
	b.StopTimer()
	if s := c.Stats(); s.Parsed != 0 {
		b.Errorf("%d events were parsed", s.Parsed)
	}
}

// BenchmarkCall is a round trip over loopback.
func BenchmarkCall(b *testing.B) {
	cmd := Command{SessionID: "0123456789ABCDEF0123456789ABCDEF", Method: "Runtime.evaluate", Params: json.RawMessage(`{"expression":"1"}`)}
	admit := WithAdmit(func(*Command) error { return nil })
	for _, k := range []struct {
		name string
		opts []CallOption
	}{{"plain", nil}, {"admitted", []CallOption{admit}}, {"control", []CallOption{WithControl()}}} {
		b.Run(k.name, func(b *testing.B) {
			c, ctx := dialConn(b, newServer(b, answer), Options{}), context.Background()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.Call(ctx, cmd, k.opts...); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("bare", func(b *testing.B) { benchBareCall(b) })
	b.Run("parallel", func(b *testing.B) {
		c, ctx := dialConn(b, newServer(b, answer), Options{}), context.Background()
		b.SetParallelism(16)
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if _, err := c.Call(ctx, cmd); err != nil {
					b.Error(err)
				}
			}
		})
	})
}

func benchBareCall(b *testing.B) {
	ctx := context.Background()
	client := &http.Client{Transport: &http.Transport{}}
	ws, _, err := websocket.Dial(ctx, newServer(b, answer), &websocket.DialOptions{HTTPClient: client})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = ws.CloseNow() }()
	msg := []byte(`{"id":1,"method":"Runtime.evaluate","params":{"expression":"1"},"sessionId":"0123456789ABCDEF0123456789ABCDEF"}`)
	b.ReportAllocs()
	for b.Loop() {
		if err := ws.Write(ctx, websocket.MessageText, msg); err != nil {
			b.Fatal(err)
		}
		if _, _, err := ws.Read(ctx); err != nil {
			b.Fatal(err)
		}
	}
}

// answer replies to every command at little cost.
func answer(ctx context.Context, ws *websocket.Conn) {
	var out []byte
	for {
		_, raw, err := ws.Read(ctx)
		if err != nil {
			return
		}
		id, _, _ := bytes.Cut(raw, []byte(","))
		out = append(append(out[:0], id...), `,"result":{"result":{"type":"number","value":1}},"sessionId":"0123456789ABCDEF0123456789ABCDEF"}`...)
		if ws.Write(ctx, websocket.MessageText, out) != nil {
			return
		}
	}
}
