package cdp

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
)

type lateReply struct {
	result string
	err    error
}

// recordLate is a WithLate that keeps what it gets.
func recordLate(got *[]lateReply) CallOption {
	return WithLate(func(r json.RawMessage, err error) { *got = append(*got, lateReply{string(r), err}) })
}

func TestLateGetsWhatCallWouldHave(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		var got []lateReply
		ctx, cancel := context.WithCancel(t.Context())
		first := b.start(ctx, Command{Method: "Target.attachToTarget"}, recordLate(&got))
		firstID := b.recv().ID
		second := b.start(ctx, Command{Method: "A.b"}, recordLate(&got))
		secondID := b.recv().ID
		cancel()
		for _, p := range []*pending{first, second} {
			if _, err := p.wait(); !errors.Is(err, ErrNoReply) {
				t.Errorf("error is %v, want %v", err, ErrNoReply)
			}
		}
		b.send(`{"id":%d,"result":{"sessionId":"S"}}`, firstID)
		b.send(`{"id":%d,"error":{"code":-1,"message":"no"}}`, secondID)
		b.send(`{"id":%d,"result":{}}`, firstID)

		if len(got) != 2 || got[0].result != `{"sessionId":"S"}` || got[0].err != nil {
			t.Fatalf("late replies are %+v", got)
		}
		wantCallError(t, got[1].err, "A.b", nil, nil)
		if s := b.Stats(); s.Late != 3 || s.Pending != 0 {
			t.Errorf("Stats = %+v, want 3 late, none pending", s)
		}
	})
}

func TestLateIsNotCalledInTime(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		var got []lateReply
		p := b.start(t.Context(), Command{Method: "A.b"}, recordLate(&got))
		b.send(`{"id":%d,"result":{}}`, b.recv().ID)
		_, err := p.wait()
		must(t, err)
		if len(got) != 0 {
			t.Errorf("late replies are %+v", got)
		}
	})
}

func TestLateIsDroppedWithItsSessionOrConn(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		drop func(*rig)
	}{
		{"session", func(b *rig) { b.FailSession("S", nil) }},
		{"conn", func(b *rig) { b.Abort(errors.New("cut")) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, Options{}, func(t *testing.T, b *rig) {
				var got []lateReply
				ctx, cancel := context.WithCancel(t.Context())
				p := b.start(ctx, Command{SessionID: "S", Method: "A.b"}, recordLate(&got))
				b.recv()
				cancel()
				_, _ = p.wait()
				tc.drop(b)
				if s := b.Stats(); s.Pending != 0 || len(got) != 0 {
					t.Errorf("pending = %d, late = %+v, want none", s.Pending, got)
				}
			})
		})
	}
}

func TestLatePanicIsContained(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		ctx, cancel := context.WithCancel(t.Context())
		p := b.start(ctx, Command{Method: "A.b"}, WithLate(func(json.RawMessage, error) { panic("late") }))
		id := b.recv().ID
		cancel()
		_, _ = p.wait()
		b.send(`{"id":%d,"result":{}}`, id)
		if s := b.Stats(); s.Panics != 1 || b.Err() != nil {
			t.Errorf("Panics = %d, Err = %v", s.Panics, b.Err())
		}
	})
}
