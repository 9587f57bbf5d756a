package cdp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
)

func TestManyCallersOverASocket(t *testing.T) {
	t.Parallel()
	c := dialConn(t, newServer(t, echo), Options{})
	var all sync.WaitGroup
	for i := range 1000 {
		all.Go(func() {
			params := json.RawMessage(fmt.Sprintf(`{"n":%d}`, i))
			got, err := c.Call(t.Context(), Command{Method: "A.echo", Params: params})
			if err != nil || string(got) != string(params) {
				t.Errorf("call %d: %s, %v", i, got, err)
			}
		})
	}
	all.Wait()
}

// sendReply streams a reply whose data is size bytes long.
func sendReply(ctx context.Context, ws *websocket.Conn, id int64, size int) error {
	w, err := ws.Writer(ctx, websocket.MessageText)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, `{"id":%d,"result":{"data":"`, id); err != nil {
		return err
	}
	chunk := []byte(strings.Repeat("x", 1<<20))
	for size > 0 {
		n := min(size, len(chunk))
		if _, err := w.Write(chunk[:n]); err != nil {
			return err
		}
		size -= n
	}
	if _, err := w.Write([]byte(`"}}`)); err != nil {
		return err
	}
	return w.Close()
}

// bigReplies answers A.big {"size": n} with n bytes of data.
func bigReplies(ctx context.Context, ws *websocket.Conn) {
	for {
		_, raw, err := ws.Read(ctx)
		if err != nil {
			return
		}
		var m struct {
			ID     int64
			Params struct{ Size int }
		}
		if json.Unmarshal(raw, &m) != nil || sendReply(ctx, ws, m.ID, m.Params.Size) != nil {
			return
		}
	}
}

func big(size int) Command {
	return Command{Method: "A.big", Params: json.RawMessage(fmt.Sprintf(`{"size":%d}`, size))}
}

func TestReplyOf200MB(t *testing.T) { //nolint:paralleltest // needs the memory for itself
	const size = 200_000_000
	c := dialConn(t, newServer(t, bigReplies), Options{})
	got, err := c.Call(t.Context(), big(size))
	must(t, err)
	if want := size + len(`{"data":""}`); len(got) != want {
		t.Errorf("result has %d bytes, want %d", len(got), want)
	}
}

func TestOneByteOverTheLimit(t *testing.T) {
	t.Parallel()
	const (
		limit    = 8 << 20
		overhead = len(`{"id":1,"result":{"data":""}}`)
	)
	c := dialConn(t, newServer(t, bigReplies), Options{ReadLimit: limit})
	for _, tc := range []struct {
		size int
		want error
	}{{limit - overhead, nil}, {limit - overhead + 1, ErrReplyTooBig}, {3 * limit, ErrReplyTooBig}, {100, nil}} {
		_, err := c.Call(t.Context(), big(tc.size))
		if !errors.Is(err, tc.want) {
			t.Errorf("%d bytes: error is %v, want %v", tc.size+overhead, err, tc.want)
		}
	}
	if s := c.Stats(); c.Err() != nil || s.Oversized != 2 {
		t.Errorf("Err = %v, Oversized = %d", c.Err(), s.Oversized)
	}
}

// A peer that stops reading fills the socket's buffers; the write then has only
// its own deadline, and the reader must go on meanwhile.
func TestPeerThatStopsReading(t *testing.T) {
	t.Parallel()
	events := make(chan Event, 1)
	goOn := make(chan struct{})
	url := newServer(t, func(ctx context.Context, ws *websocket.Conn) {
		<-goOn
		_ = ws.Write(ctx, websocket.MessageText, []byte(`{"method":"A.b","params":{}}`))
		<-ctx.Done()
	})
	c := dialConn(t, url, Options{
		WriteTimeout: 50 * time.Millisecond,
		Handler:      func(ev Event) { events <- ev },
	})
	params := json.RawMessage(`{"a":"` + strings.Repeat("x", 16<<20) + `"}`)
	writing := make(chan error, 1)
	go func() {
		_, err := c.Call(t.Context(), Command{Method: "A.b", Params: params}, WithControl())
		writing <- err
	}()
	close(goOn)
	<-events
	must(t, c.Close())
	err := <-writing
	if !errors.Is(err, ErrClosed) {
		t.Errorf("error is %v, want %v", err, ErrClosed)
	}
}

func TestWriteTimeoutOverASocket(t *testing.T) {
	t.Parallel()
	url := newServer(t, func(ctx context.Context, _ *websocket.Conn) { <-ctx.Done() })
	c := dialConn(t, url, Options{WriteTimeout: time.Millisecond, WriteLimit: 1 << 30})
	// One second for each MiB is allowed, so many messages below one MiB.
	params := json.RawMessage(`{"a":"` + strings.Repeat("x", 1<<19) + `"}`)
	cmds := make([]Command, 100)
	for i := range cmds {
		cmds[i] = Command{Method: "A.b", Params: params}
	}
	c.Post(cmds, nil)
	<-c.Done()
	if !errors.Is(c.Err(), ErrWriteTimeout) {
		t.Errorf("Err = %v, want %v", c.Err(), ErrWriteTimeout)
	}
}

func TestPeerClosesTheSocket(t *testing.T) {
	t.Parallel()
	url := newServer(t, func(ctx context.Context, ws *websocket.Conn) {
		_, _, _ = ws.Read(ctx)
		_ = ws.Close(websocket.StatusMessageTooBig, "too big for this service")
	})
	c := dialConn(t, url, Options{})
	_, err := c.Call(t.Context(), Command{Method: "A.b"})
	wantCallError(t, err, "A.b", ErrNoReply, ErrClosed)
	if got := websocket.CloseStatus(c.Err()); got != websocket.StatusMessageTooBig {
		t.Errorf("close status is %v, Err = %v", got, c.Err())
	}
}

func TestSocketIsCut(t *testing.T) {
	t.Parallel()
	url := newServer(t, func(ctx context.Context, ws *websocket.Conn) { _, _, _ = ws.Read(ctx) })
	c := dialConn(t, url, Options{})
	_, err := c.Call(t.Context(), Command{Method: "A.b"})
	wantCallError(t, err, "A.b", ErrNoReply, ErrClosed)
	<-c.Done()
}
