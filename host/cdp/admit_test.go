package cdp

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestAdmitRunsAtTheWrite(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		admitted := false
		b.start(t.Context(), Command{Method: "First.write"})
		b.start(t.Context(), Command{Method: "Second.judged"}, WithAdmit(func(*Command) error {
			admitted = true
			return nil
		}))
		if admitted {
			t.Fatal("judged while it waited in the queue")
		}
		b.expect("First.write")
		synctest.Wait()
		if !admitted {
			t.Fatal("not judged when its turn had come")
		}
		b.expect("Second.judged")
	})
}

func TestAdmitRefusal(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		refusal := errors.New("not yours")
		_, err := b.Call(t.Context(), Command{Method: "A.b"}, WithAdmit(func(*Command) error { return refusal }))
		wantCallError(t, err, "A.b", ErrNotSent, refusal)
		var ce *CallError
		if errors.As(err, &ce); ce.Err != refusal { //nolint:errorlint // must be the very same
			t.Errorf("refusal came back as %v", ce.Err)
		}
		b.expectNothing()
		if n := b.Stats().Refused; n != 1 {
			t.Errorf("Stats.Refused = %d, want 1", n)
		}
	})
}

func TestAdmitRewrite(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		p := b.start(t.Context(), Command{SessionID: "S1", Method: "A.b", Params: json.RawMessage(`{"a":1}`)},
			WithAdmit(func(cmd *Command) error {
				cmd.Params = json.RawMessage(`{"a":2}`)
				cmd.SessionID = "S2"
				return nil
			}))
		m := b.recv()
		if string(m.Params) != `{"a":2}` || m.SessionID != "S2" {
			t.Errorf("command is %+v", m)
		}
		b.FailSession("S1", nil)
		if p.ended() {
			t.Error("ended with the session that it did not go to")
		}
		b.FailSession("S2", nil)
		_, err := p.wait()
		wantCallError(t, err, "A.b", ErrNoReply, ErrSessionGone)
	})
}

func TestAdmitThatBreaksTheCommand(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		reason error
		admit  func(*Command) error
	}{
		{"params", ErrInvalidCommand, func(cmd *Command) error { cmd.Params = json.RawMessage(`{}}`); return nil }},
		{"method", ErrInvalidCommand, func(cmd *Command) error { cmd.Method = ""; return nil }},
		{"panic", errPanic, func(*Command) error { panic("admit") }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, Options{}, func(t *testing.T, b *rig) {
				_, err := b.Call(t.Context(), Command{Method: "A.b"}, WithAdmit(tc.admit))
				wantCallError(t, err, "A.b", ErrNotSent, tc.reason)
				b.expectNothing()
				p := b.start(t.Context(), Command{Method: "C.d"})
				b.send(`{"id":%d,"result":{}}`, b.expect("C.d").ID)
				_, err = p.wait()
				must(t, err)
			})
		})
	}
}

func TestAdmitThatOutlivesTheDeadline(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		p := b.start(ctx, Command{Method: "A.b"}, WithAdmit(func(*Command) error {
			time.Sleep(2 * time.Second) // simulated
			return nil
		}))
		_, err := p.wait()
		wantCallError(t, err, "A.b", ErrNotSent, context.DeadlineExceeded)
		time.Sleep(2 * time.Second)
		b.expectNothing()
	})
}

func TestAdmitDoesNotHoldUpTheReader(t *testing.T) {
	t.Parallel()
	var events int
	inBubble(t, Options{Handler: func(Event) { events++ }}, func(t *testing.T, b *rig) {
		release := make(chan struct{})
		b.start(t.Context(), Command{Method: "A.b"}, WithAdmit(func(*Command) error { <-release; return nil }))
		b.send(`{"method":"Page.loadEventFired","params":{}}`)
		if events != 1 {
			t.Errorf("%d events while admit ran, want 1", events)
		}
		close(release)
		b.expect("A.b")
	})
}

func TestSessionFailsWhileAdmitRuns(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		release := make(chan struct{})
		p := b.start(t.Context(), Command{SessionID: "S", Method: "A.b"}, WithAdmit(func(*Command) error { <-release; return nil }))
		b.FailSession("S", nil)
		_, err := p.wait()
		wantCallError(t, err, "A.b", ErrNotSent, ErrSessionGone)
		close(release)
		b.expectNothing()
	})
}

func TestControlIsNotAdmitted(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		b.start(t.Context(), Command{Method: "A.b"}, WithControl(), WithAdmit(func(*Command) error { return errors.New("no") }))
		b.expect("A.b")
	})
}
