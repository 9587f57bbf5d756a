package cdp

import (
	"errors"
	"testing"
)

func TestFailSession(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		inFlight := b.start(t.Context(), Command{SessionID: "S", Method: "A.inflight"})
		inFlightID := b.expect("A.inflight").ID
		other := b.start(t.Context(), Command{SessionID: "other", Method: "A.other"})
		otherID := b.expect("A.other").ID
		browser := b.start(t.Context(), Command{Method: "Browser.writing"})
		queued := b.start(t.Context(), Command{SessionID: "S", Method: "A.queued"})
		control := b.start(t.Context(), Command{SessionID: "S", Method: "A.control"}, WithControl())

		crashed := errors.New("target crashed")
		b.FailSession("S", crashed)
		_, err := inFlight.wait()
		wantCallError(t, err, "A.inflight", ErrNoReply, crashed)
		_, err = queued.wait()
		wantCallError(t, err, "A.queued", ErrNotSent, crashed)
		_, err = control.wait()
		wantCallError(t, err, "A.control", ErrNotSent, crashed)

		b.send(`{"id":%d,"result":{}}`, inFlightID)
		if s := b.Stats(); s.Late != 1 || s.Unmatched != 0 {
			t.Errorf("Stats = %+v, want one late reply", s)
		}
		b.send(`{"id":%d,"result":{}}`, b.expect("Browser.writing").ID)
		b.send(`{"id":%d,"result":{}}`, otherID)
		for _, p := range []*pending{other, browser} {
			_, err := p.wait()
			must(t, err)
		}
		b.expectNothing()
	})
}

func TestFailSessionWithoutReason(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		p := b.start(t.Context(), Command{SessionID: "S", Method: "A.b"})
		b.recv()
		b.FailSession("S", nil)
		b.FailSession("S", nil)
		_, err := p.wait()
		wantCallError(t, err, "A.b", ErrNoReply, ErrSessionGone)
		if want := "A.b: sent, no reply: cdp: session gone"; err.Error() != want {
			t.Errorf("text is %q, want %q", err, want)
		}
	})
}

func TestCallAfterFailSessionIsSent(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		b.FailSession("S", nil)
		p := b.start(t.Context(), Command{SessionID: "S", Method: "A.b"})
		b.send(`{"id":%d,"error":{"code":-32001,"message":"Session with given id not found."}}`, b.recv().ID)
		_, err := p.wait()
		var ce *Error
		if !errors.As(err, &ce) || ce.Code != -32001 {
			t.Errorf("error is %v, want -32001", err)
		}
	})
}
