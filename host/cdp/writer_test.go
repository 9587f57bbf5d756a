package cdp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestControlLaneOvertakes(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{}, func(t *testing.T, b *rig) {
		b.start(t.Context(), Command{Method: "Normal.writing"})
		b.start(t.Context(), Command{Method: "Normal.1"})
		b.start(t.Context(), Command{Method: "Normal.2"})
		b.start(t.Context(), Command{Method: "Control.1"}, WithControl())
		b.Post([]Command{{Method: "Burst.1"}, {Method: "Burst.2"}}, nil)
		b.start(t.Context(), Command{Method: "Control.2"}, WithControl())
		if n := b.Stats().Queued; n != 6 {
			t.Errorf("Stats.Queued = %d, want 6", n)
		}
		for _, method := range []string{"Normal.writing", "Control.1", "Burst.1", "Burst.2", "Control.2", "Normal.1", "Normal.2"} {
			b.expect(method)
		}
		if s := b.Stats(); s.Queued != 0 || s.Pending != 7 {
			t.Errorf("Stats = %+v, want 0 queued, 7 pending", s)
		}
	})
}

func TestWriteStallEndsTheConn(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{WriteTimeout: 3 * time.Second}, func(t *testing.T, b *rig) {
		began := time.Now()
		writing := b.start(t.Context(), Command{Method: "A.writing"})
		waiting := b.start(t.Context(), Command{Method: "B.waiting"})
		_, err := writing.wait()
		wantCallError(t, err, "A.writing", ErrNoReply, ErrWriteTimeout)
		_, err = waiting.wait()
		wantCallError(t, err, "B.waiting", ErrNotSent, ErrWriteTimeout)
		if d := time.Since(began); d != 3*time.Second {
			t.Errorf("ended after %v, want the write's own deadline, 3s", d)
		}
		if !errors.Is(b.Err(), ErrClosed) || b.Err().Error() != "cdp: connection closed: cdp: write timed out after 3s" {
			t.Errorf("Err = %v", b.Err())
		}
	})
}

// A caller that gives up during a write must not end the write: the message
// would be cut and the connection lost.
func TestWriteOutlivesItsCaller(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{WriteTimeout: time.Minute}, func(t *testing.T, b *rig) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := b.start(ctx, Command{Method: "A.b"}).wait()
		wantCallError(t, err, "A.b", ErrNoReply, context.DeadlineExceeded)
		b.expect("A.b")
		if b.Err() != nil {
			t.Errorf("Err = %v", b.Err())
		}
	})
}

func TestLargeWritesHaveLonger(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{WriteTimeout: time.Second}, func(t *testing.T, b *rig) {
		began := time.Now()
		params := json.RawMessage(`{"a":"` + strings.Repeat("x", 4<<20) + `"}`)
		_, err := b.Call(t.Context(), Command{Method: "A.b", Params: params})
		wantCallError(t, err, "A.b", ErrNoReply, ErrWriteTimeout)
		if d := time.Since(began); d != 5*time.Second {
			t.Errorf("ended after %v, want 5s for 4 MiB", d)
		}
	})
}

func TestWriteLimit(t *testing.T) {
	t.Parallel()
	const exact = `{"id":1,"method":"A.b","params":{}}`
	inBubble(t, Options{WriteLimit: int64(len(exact))}, func(t *testing.T, b *rig) {
		b.start(t.Context(), Command{Method: "A.b", Params: json.RawMessage(`{}`)})
		b.expect("A.b")
		_, err := b.Call(t.Context(), Command{Method: "A.b", Params: json.RawMessage(`{ }`)})
		wantCallError(t, err, "A.b", ErrNotSent, ErrCommandTooBig)
		b.expectNothing()
	})
}

// brokenTransport fails its writes.
type brokenTransport struct {
	*fakeTransport
	err error
}

func (t brokenTransport) Write(context.Context, []byte) error { return t.err }

func TestWriteErrorEndsTheConn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		broken := errors.New("broken pipe")
		c := NewConn(brokenTransport{newFakeTransport(), broken}, Options{})
		_, err := c.Call(t.Context(), Command{Method: "A.b"})
		wantCallError(t, err, "A.b", ErrNoReply, broken)
		<-c.Done()
		if !errors.Is(c.Err(), ErrClosed) || !errors.Is(c.Err(), broken) {
			t.Errorf("Err = %v", c.Err())
		}
		must(t, c.Close())
	})
}

func TestCloseDuringAWrite(t *testing.T) {
	t.Parallel()
	inBubble(t, Options{WriteTimeout: time.Hour}, func(t *testing.T, b *rig) {
		writing := b.start(t.Context(), Command{Method: "A.writing"})
		waiting := b.start(t.Context(), Command{Method: "B.waiting"}, WithControl())
		began := time.Now()
		must(t, b.Close())
		_, err := writing.wait()
		wantCallError(t, err, "A.writing", ErrNoReply, ErrClosed)
		_, err = waiting.wait()
		wantCallError(t, err, "B.waiting", ErrNotSent, ErrClosed)
		if d := time.Since(began); d != 0 {
			t.Errorf("Close took %v", d)
		}
		if b.Err() != ErrClosed { //nolint:errorlint // nothing else ended it
			t.Errorf("Err = %v, want %v", b.Err(), ErrClosed)
		}
		if errors.Is(b.Err(), io.ErrClosedPipe) {
			t.Error("the transport's own end was taken for the cause")
		}
	})
}

// closedTransport has ended; its reader tells the reason only after the writer
// has noticed.
type closedTransport struct {
	*fakeTransport
	noticed chan struct{}
	reason  error
}

func (t closedTransport) Reader(context.Context) (io.Reader, error) {
	<-t.noticed
	return nil, t.reason
}

func (t closedTransport) Write(context.Context, []byte) error {
	defer close(t.noticed)
	return net.ErrClosed
}

func TestReaderKnowsWhyTheTransportEnded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		reason := errors.New("close code 1009")
		c := NewConn(closedTransport{newFakeTransport(), make(chan struct{}), reason}, Options{})
		_, err := c.Call(t.Context(), Command{Method: "A.b"})
		wantCallError(t, err, "A.b", ErrNoReply, reason)
		must(t, c.Close())
	})
}

// silentTransport has ended for its writer only.
type silentTransport struct{ *fakeTransport }

func (silentTransport) Write(context.Context, []byte) error { return net.ErrClosed }

func TestWriterDoesNotWaitForAReasonForEver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := NewConn(silentTransport{newFakeTransport()}, Options{})
		_, err := c.Call(t.Context(), Command{Method: "A.b"})
		wantCallError(t, err, "A.b", ErrNoReply, net.ErrClosed)
		must(t, c.Close())
	})
}
