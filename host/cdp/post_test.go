package cdp

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"testing/synctest"
)

// postLog keeps what the reply function of a Post gets, as text.
type postLog struct {
	mu    sync.Mutex
	lines []string
}

func (l *postLog) reply(i int, result json.RawMessage, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, fmt.Sprintf("%d %s %v", i, result, err))
}

func (l *postLog) want(t *testing.T, lines ...string) {
	t.Helper()
	synctest.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	if !reflect.DeepEqual(l.lines, lines) {
		t.Errorf("replies are\n%q, want\n%q", l.lines, lines)
	}
}

func TestPostReplies(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		var log postLog
		b.Post([]Command{{Method: "A.one"}, {Method: "A.two"}, {Method: "A.three", Params: json.RawMessage(`[]`)}, {Method: "A.four"}}, log.reply)
		one, two, four := b.expect("A.one").ID, b.expect("A.two").ID, b.expect("A.four").ID
		log.want(t, "2  A.three: not sent: cdp: invalid command: params are not a JSON object") // by the Conn's own goroutine
		b.send(`{"id":%d,"error":{"code":-32000,"message":"no"}}`, two)
		b.send(`{"id":%d,"result":{"ok":4}}`, four)
		b.send(`{"id":%d,"result":{"ok":1}}`, one)
		log.want(t,
			"2  A.three: not sent: cdp: invalid command: params are not a JSON object",
			"1  A.two: no (-32000)",
			`3 {"ok":4} <nil>`,
			`0 {"ok":1} <nil>`)
	})
}

func TestPostOfNothing(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		b.Post(nil, func(int, json.RawMessage, error) { t.Error("called") })
		b.expectNothing()
	})
}

// Post is used by handlers, with locks held, while the peer reads nothing.
func TestPostFromTheHandlerNeverBlocks(t *testing.T) {
	t.Parallel()
	var (
		c   *Conn
		mu  sync.Mutex
		log postLog
	)
	reply := func(i int, r json.RawMessage, err error) {
		mu.Lock()
		defer mu.Unlock()
		log.reply(i, r, err)
	}
	o := Options{Handler: func(ev Event) {
		mu.Lock()
		defer mu.Unlock()
		if ev.Method == "Target.detachedFromTarget" {
			c.FailSession("S", nil)
			return
		}
		c.Post([]Command{{SessionID: "S", Method: "Page.enable"}, {SessionID: "S", Method: "Runtime.runIfWaitingForDebugger"}}, reply)
	}}
	inBubble(t, o, func(t *testing.T, b *rig) {
		c = b.Conn
		for range 100 {
			b.send(`{"method":"Target.attachedToTarget","params":{}}`)
		}
		if n := b.Stats().Pending; n != 200 {
			t.Fatalf("Stats.Pending = %d, want 200", n)
		}
		b.send(`{"method":"Target.detachedFromTarget","params":{}}`)
		synctest.Wait()
		if n := len(log.lines); n != 200 {
			t.Errorf("%d replies, want 200", n)
		}
		b.expect("Page.enable") // was being written already
		b.expectNothing()
	})
}

func TestPostIsContiguousUnderLoad(t *testing.T) {
	t.Parallel()
	const bursts, size, callers = 50, 5, 20
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		var all sync.WaitGroup
		for i := range callers {
			all.Go(func() {
				for range 10 {
					opts := []CallOption{}
					if i%2 == 0 {
						opts = append(opts, WithControl())
					}
					_, err := b.Call(t.Context(), Command{Method: "Noise.call"}, opts...)
					must(t, err)
				}
			})
		}
		for range 5 {
			all.Go(func() {
				for range bursts / 5 {
					var cmds []Command
					for i := range size {
						cmds = append(cmds, Command{Method: fmt.Sprintf("Burst.%d", i)})
					}
					b.Post(cmds, nil)
				}
			})
		}
		next, seen := 0, 0
		for range bursts*size + callers*10 {
			m := b.recv()
			if m.Method == "Noise.call" {
				if next != 0 {
					t.Fatalf("a call between the commands %d and %d of a burst", next-1, next)
				}
			} else {
				if want := fmt.Sprintf("Burst.%d", next); m.Method != want {
					t.Fatalf("got %s, want %s", m.Method, want)
				}
				next = (next + 1) % size
				seen++
			}
			b.send(`{"id":%d,"result":{}}`, m.ID)
		}
		all.Wait()
		if seen != bursts*size {
			t.Errorf("%d commands of bursts, want %d", seen, bursts*size)
		}
	})
}

func TestPostOnClosedConn(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		must(t, b.Close())
		var mu sync.Mutex
		var errs []error
		mu.Lock() // reply would dead-lock inside Post
		b.Post([]Command{{Method: "A.one"}, {Method: "A.two"}}, func(_ int, _ json.RawMessage, err error) {
			mu.Lock()
			defer mu.Unlock()
			errs = append(errs, err)
		})
		mu.Unlock()
		synctest.Wait()
		if len(errs) != 2 {
			t.Fatalf("%d replies, want 2", len(errs))
		}
		wantCallError(t, errs[0], "A.one", ErrNotSent, ErrClosed)
		wantCallError(t, errs[1], "A.two", ErrNotSent, ErrClosed)
	})
}

func TestPostRepliesAreDoneWhenCloseReturns(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		var log postLog
		b.Post([]Command{{Method: "A.sent"}, {Method: "A.writing"}, {Method: "A.queued"}}, log.reply)
		b.expect("A.sent")
		synctest.Wait()
		must(t, b.Close())
		if want := []string{
			"0  A.sent: sent, no reply: cdp: connection closed",
			"1  A.writing: sent, no reply: cdp: connection closed",
			"2  A.queued: not sent: cdp: connection closed",
		}; !reflect.DeepEqual(log.lines, want) {
			t.Errorf("replies are %q, want %q", log.lines, want)
		}
	})
}

func TestPostReplyPanicsAreContained(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		boom := func(int, json.RawMessage, error) { panic(errors.New("boom")) }
		b.Post([]Command{{SessionID: "S", Method: "A.b"}, {SessionID: "S", Method: "C.d"}}, boom)
		id := b.recv().ID
		b.recv()
		b.send(`{"id":%d,"result":{}}`, id)
		b.FailSession("S", nil)
		synctest.Wait()
		if s := b.Stats(); s.Panics != 2 || b.Err() != nil {
			t.Errorf("Panics = %d, Err = %v", s.Panics, b.Err())
		}
	})
}
