package cdp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
)

func TestCloseFailsAllAtOnce(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		var all []*pending
		for i := range 20 {
			all = append(all, b.start(t.Context(), Command{Method: fmt.Sprintf("A.m%d", i)}))
		}
		for range 10 {
			b.recv()
		}
		synctest.Wait() // number 10 is being written
		must(t, b.Close())
		for i, p := range all {
			_, err := p.wait()
			state := ErrNoReply
			if i > 10 {
				state = ErrNotSent
			}
			wantCallError(t, err, fmt.Sprintf("A.m%d", i), state, ErrClosed)
		}
		select {
		case <-b.Done():
		default:
			t.Error("Done is open after Close")
		}
		must(t, b.Close())
		if s := b.Stats(); s.Pending != 0 || s.Queued != 0 {
			t.Errorf("Stats = %+v, want nothing pending", s)
		}
	})
}

func TestPeerEndsTheConn(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		if b.Err() != nil {
			t.Fatalf("Err = %v while open", b.Err())
		}
		p := b.start(t.Context(), Command{Method: "A.b"})
		b.recv()
		must(t, b.peer.Close())
		_, err := p.wait()
		wantCallError(t, err, "A.b", ErrNoReply, ErrClosed)
		<-b.Done()
		if want := "cdp: connection closed: read: io: read/write on closed pipe"; b.Err().Error() != want {
			t.Errorf("Err = %q, want %q", b.Err(), want)
		}
	})
}

func TestAbortFromTheHandler(t *testing.T) {
	t.Parallel()
	var c *Conn
	cause := errors.New("the browser lies")
	inBubble(t, Options{Handler: func(Event) { c.Abort(cause) }}, func(t *testing.T, b *rig) {
		c = b.Conn
		p := b.start(t.Context(), Command{Method: "A.b"})
		b.recv()
		b.send(`{"method":"C.d","params":{}}`)
		_, err := p.wait()
		wantCallError(t, err, "A.b", ErrNoReply, cause)
		b.Abort(errors.New("too late to matter"))
		if want := "cdp: connection closed: the browser lies"; b.Err().Error() != want {
			t.Errorf("Err = %q, want %q", b.Err(), want)
		}
	})
}

func TestAbortWithoutCause(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		b.Abort(nil)
		if b.Err() != ErrClosed { //nolint:errorlint // nothing else ended it
			t.Errorf("Err = %v, want %v", b.Err(), ErrClosed)
		}
	})
}

func TestManyCallers(t *testing.T) {
	t.Parallel()
	const callers = 1000
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		var all sync.WaitGroup
		for i := range callers {
			all.Go(func() {
				opts := []CallOption{}
				if i%3 == 0 {
					opts = append(opts, WithControl())
				}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				params := json.RawMessage(fmt.Sprintf(`{"n":%d}`, i))
				got, err := b.Call(ctx, Command{SessionID: fmt.Sprint(i % 7), Method: "A.echo", Params: params}, opts...)
				if err != nil || string(got) != string(params) {
					t.Errorf("call %d: %s, %v", i, got, err)
				}
			})
		}
		for range callers {
			m := b.recv()
			b.send(`{"id":%d,"result":%s,"sessionId":"%s"}`, m.ID, m.Params, m.SessionID)
		}
		all.Wait()
		if s := b.Stats(); s.Replies != callers || s.Sent != callers || s.Pending != 0 {
			t.Errorf("Stats = %+v", s)
		}
	})
}

// Every way in which a call can end races with the others; each call must end
// once, and nothing may be left.
func TestEndingsRace(t *testing.T) {
	t.Parallel()
	const calls = 400
	peer := newFakeTransport()
	var b *Conn
	b = NewConn(peer, Options{Handler: func(ev Event) { b.FailSession(ev.SessionID, nil) }})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var all, browser sync.WaitGroup
	browser.Go(func() {
		for n := 0; ; n++ {
			var m message
			select {
			case raw := <-peer.out:
				_ = json.Unmarshal(raw, &m)
			case <-peer.closed:
				return
			}
			reply := fmt.Sprintf(`{"id":%d,"result":{},"sessionId":"%s"}`, m.ID, m.SessionID)
			if n%5 == 0 {
				reply = fmt.Sprintf(`{"method":"Inspector.detached","params":{},"sessionId":"%s"}`, m.SessionID)
			}
			select {
			case peer.in <- strings.NewReader(reply):
			case <-peer.closed:
				return
			}
		}
	})
	var ended sync.Map
	for i := range calls {
		all.Go(func() {
			late := WithLate(func(json.RawMessage, error) { ended.Store(fmt.Sprint("late ", i), true) })
			admit := WithAdmit(func(*Command) error {
				if i%11 == 0 {
					return errors.New("refused")
				}
				return nil
			})
			_, err := b.Call(ctx, Command{SessionID: fmt.Sprint(i % 13), Method: "A.b"}, late, admit)
			if i == calls/2 {
				cancel()
			}
			ended.Store(i, err)
		})
	}
	all.Go(func() {
		b.Post(make([]Command, 3), func(i int, _ json.RawMessage, err error) { ended.Store(fmt.Sprint("post ", i), err) })
	})
	all.Wait()
	must(t, b.Close())
	browser.Wait()
	for i := range calls {
		v, ok := ended.Load(i)
		if err, isErr := v.(error); !ok || (isErr && !errors.As(err, new(*CallError))) {
			t.Errorf("call %d ended %v with %v", i, ok, v)
		}
	}
	for i := range 3 {
		if err, _ := ended.Load(fmt.Sprint("post ", i)); err == nil {
			t.Errorf("post %d had no outcome", i)
		}
	}
	if s := b.Stats(); s.Pending != 0 {
		t.Errorf("%d calls left", s.Pending)
	}
}
