package cdp

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestCallResult(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		p := b.start(t.Context(), Command{SessionID: "S1", Method: "Runtime.evaluate", Params: json.RawMessage(`{"expression":"1"}`)})
		m := b.expect("Runtime.evaluate")
		if m.SessionID != "S1" || string(m.Params) != `{"expression":"1"}` {
			t.Errorf("command is %+v", m)
		}
		b.send(`{"id":%d,"result":{"value":1},"sessionId":"S1"}`, m.ID)
		got, err := p.wait()
		must(t, err)
		if string(got) != `{"value":1}` {
			t.Errorf("result is %s", got)
		}
	})
}

func TestCallBrowserLevelWithoutParams(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		p := b.start(t.Context(), Command{Method: "Browser.getVersion"})
		if got := string(<-b.peer.out); got != `{"id":1,"method":"Browser.getVersion"}` {
			t.Errorf("command is %s", got)
		}
		b.send(`{"id":1,"result":{}}`)
		got, err := p.wait()
		must(t, err)
		if string(got) != `{}` {
			t.Errorf("result is %s", got)
		}
	})
}

func TestCallBrowserError(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, fault, text string
		want              Error
	}{
		{"plain", `{"code":-32602,"message":"No dialog is showing"}`, "No dialog is showing (-32602)", Error{-32602, "No dialog is showing", ""}},
		{"data", `{"code":-32600,"message":"Bad","data":"why"}`, "Bad: why (-32600)", Error{-32600, "Bad", "why"}},
		{"data object", `{"code":1,"message":"Bad","data":{"a":1}}`, `Bad: {"a":1} (1)`, Error{1, "Bad", `{"a":1}`}},
		{"strange", `{"code":"x"}`, `{"code":"x"} (0)`, Error{0, `{"code":"x"}`, ""}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, Options{}, func(t *testing.T, b *rig) {
				p := b.start(t.Context(), Command{Method: "Page.enable"})
				b.send(`{"id":%d,"error":%s}`, b.recv().ID, tc.fault)
				_, err := p.wait()
				wantCallError(t, err, "Page.enable", nil, nil)
				var ce *Error
				if !errors.As(err, &ce) || *ce != tc.want {
					t.Errorf("error is %#v, want %#v", ce, tc.want)
				}
				if want := "Page.enable: " + tc.text; err.Error() != want {
					t.Errorf("text is %q, want %q", err, want)
				}
			})
		})
	}
}

func TestCallRefusesInvalidCommands(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, method, params string
	}{
		{"no method", "", `{}`},
		{"array", "A.b", `[]`},
		{"null", "A.b", `null`},
		{"blank", "A.b", ` `},
		{"cut", "A.b", `{"a":`},
		{"another session smuggled in", "A.b", `{},"sessionId":"other","x":{}`},
		{"two values", "A.b", `{} {}`},
		{"unencodable", "A.b", string(Marshal(func() {}))},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, Options{}, func(t *testing.T, b *rig) {
				cmd := Command{Method: tc.method, Params: json.RawMessage(tc.params)}
				_, err := b.Call(t.Context(), cmd)
				wantCallError(t, err, tc.method, ErrNotSent, ErrInvalidCommand)
				b.expectNothing()
			})
		})
	}
}

func TestCallQuotesNames(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		cmd := Command{SessionID: "s\"},\n\u00e9\xff", Method: `A.b","x":"`}
		p := b.start(t.Context(), cmd)
		m := b.recv()
		if m.Method != cmd.Method || m.SessionID != "s\"},\n\u00e9\ufffd" {
			t.Errorf("command is %+v", m)
		}
		b.send(`{"id":%d,"result":{}}`, m.ID)
		_, err := p.wait()
		must(t, err)
	})
}

func TestCallContextEndedBefore(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := b.Call(ctx, Command{Method: "A.b"})
		wantCallError(t, err, "A.b", ErrNotSent, context.Canceled)
		b.expectNothing()
	})
}

func TestCallExpiresInTheQueue(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{WriteTimeout: time.Hour}, func(t *testing.T, b *rig) {
		b.start(t.Context(), Command{Method: "First.write"}) // nobody takes it
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		p := b.start(ctx, Command{Method: "Second.expires"})
		third := b.start(t.Context(), Command{Method: "Third.lives"})

		_, err := p.wait()
		wantCallError(t, err, "Second.expires", ErrNotSent, context.DeadlineExceeded)
		b.expect("First.write")
		b.send(`{"id":%d,"result":{}}`, b.expect("Third.lives").ID)
		_, err = third.wait()
		must(t, err)
		if n := b.Stats().Expired; n != 1 {
			t.Errorf("Stats.Expired = %d, want 1", n)
		}
	})
}

// lateContext is a context whose deadline has passed and whose timer has not
// fired yet.
type lateContext struct{ context.Context }

func (lateContext) Deadline() (time.Time, bool) { return time.Now().Add(-time.Nanosecond), true }

func TestCallDeadlinePassedBeforeTheTimerFires(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		_, err := b.Call(lateContext{t.Context()}, Command{Method: "A.b"})
		wantCallError(t, err, "A.b", ErrNotSent, context.DeadlineExceeded)
		b.expectNothing()
	})
}

func TestCallGivesUpAfterTheWrite(t *testing.T) {
	t.Parallel()
	reason := errors.New("the agent left")
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		ctx, cancel := context.WithCancelCause(t.Context())
		p := b.start(ctx, Command{Method: "A.b"})
		id := b.recv().ID
		cancel(reason)
		_, err := p.wait()
		wantCallError(t, err, "A.b", ErrNoReply, reason)
		wantCallError(t, err, "A.b", ErrNoReply, context.Canceled)

		b.send(`{"id":%d,"result":{}}`, id)
		if s := b.Stats(); s.Late != 1 || s.Unmatched != 0 || s.Pending != 0 {
			t.Errorf("Stats = %+v, want one late reply", s)
		}
	})
}

func TestCallWaitsWithoutLimit(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		p := b.start(context.Background(), Command{Method: "A.b"})
		id := b.recv().ID
		time.Sleep(365 * 24 * time.Hour) // simulated
		synctest.Wait()
		if p.ended() {
			t.Fatal("call ended")
		}
		b.send(`{"id":%d,"result":{}}`, id)
		_, err := p.wait()
		must(t, err)
	})
}

func TestCallOnClosedConn(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		must(t, b.Close())
		_, err := b.Call(t.Context(), Command{Method: "A.b"})
		wantCallError(t, err, "A.b", ErrNotSent, ErrClosed)
	})
}

func TestRepliesOfUnknownCalls(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		b.send(`{"id":77,"result":{}}`)
		b.start(t.Context(), Command{Method: "First.write"})
		queued := b.start(t.Context(), Command{Method: "Second.queued"})
		b.send(`{"id":2,"result":{"forged":true}}`)
		if queued.ended() {
			t.Fatal("a reply to a command that was not sent counted")
		}
		if n := b.Stats().Unmatched; n != 2 {
			t.Errorf("Stats.Unmatched = %d, want 2", n)
		}
		b.expect("First.write")
		b.send(`{"id":%d,"result":{}}`, b.expect("Second.queued").ID)
		_, err := queued.wait()
		must(t, err)
	})
}
