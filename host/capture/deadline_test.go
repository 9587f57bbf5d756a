package capture_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"cdphost/host/capture"
	"cdphost/host/cdp"
	"cdphost/host/cdp/cdptest"
	"cdphost/sdk/fault"
)

func TestExpiredCallIsNeverSent(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	handle := h.capture(t, trusted)
	expired, cancel := context.WithTimeout(t.Context(), -time.Second)
	defer cancel()
	_, err := handle.Call(expired, "Runtime.evaluate", M{"expression": "'expired'"}, capture.OnSession(h.page.SessionID))
	wantCode(t, err, fault.NotSent)
	if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, cdp.ErrNotSent) {
		t.Errorf("%v hides its cause", err)
	}
	// The deadline runs out while the validator thinks.
	ctx, cancel := context.WithCancel(t.Context())
	_, err = handle.Call(ctx, "Runtime.evaluate", M{"expression": "'expired'"}, capture.OnSession(h.page.SessionID),
		capture.WithBeforeSend(func(capture.Command, capture.Facts) error { cancel(); return nil }))
	f := wantCode(t, err, fault.Aborted)
	if f.Details["sent"] != false {
		t.Errorf("details = %v, want it told that nothing was sent", f.Details)
	}
	// A page's dialogs are not dismissed for a command that is not sent.
	d := h.mock.Page(h.page.TargetID).OpenDialog("alert", "stay", "")
	_ = d
	_, err = handle.Call(expired, "Target.closeTarget", M{"targetId": h.page.TargetID})
	wantCode(t, err, fault.NotSent)
	h.settled(t)
	if n := h.count("Runtime.evaluate", "expression", "'expired'") + len(h.mock.Sent("Target.closeTarget")) + len(h.mock.Sent("Page.handleJavaScriptDialog")); n != 0 {
		t.Errorf("%d commands arrived", n)
	}
}

func TestExpiryWhileTheWriterIsStuck(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	handle := h.capture(t, trusted)
	h.mock.StopReading()
	ctx, cancel := context.WithCancel(t.Context())
	big := make(chan error, 1)
	go func() { // fills what the system buffers, and blocks the writer
		_, err := handle.Call(context.Background(), "Network.setExtraHTTPHeaders", M{"headers": M{"x": strings.Repeat("x", 16<<20)}}, capture.OnSession(h.page.SessionID))
		big <- err
	}()
	waiting := make(chan error, 1)
	go func() {
		_, err := handle.Call(ctx, "Runtime.evaluate", M{"expression": "'queued'"}, capture.OnSession(h.page.SessionID))
		waiting <- err
	}()
	cancel()
	err := <-waiting
	h.mock.StartReading()
	if err := <-big; err != nil {
		t.Fatal(err)
	}
	f := wantCode(t, err, fault.Aborted)
	h.settled(t)
	if n := h.count("Runtime.evaluate", "expression", "'queued'"); n != 0 && f.Details["sent"] == false {
		t.Errorf("%d commands arrived that were reported as not sent", n)
	}
}

func TestWithoutDeadlineACallWaits(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	got := make(chan *cdptest.Request, 1)
	h.mock.Handle("Network.getCookies", func(r *cdptest.Request) cdptest.Reply { got <- r; return cdptest.NoReply })
	handle := h.capture(t, trusted)
	type answer struct {
		raw json.RawMessage
		err error
	}
	done := make(chan answer, 1)
	go func() {
		raw, err := handle.Call(context.Background(), "Network.getCookies", nil, capture.OnSession(h.page.SessionID))
		done <- answer{raw, err}
	}()
	r := <-got
	mustCall(t, handle, "Runtime.evaluate", M{"expression": "1"}, capture.OnSession(h.page.SessionID))
	r.Answer(cdptest.Result(M{"cookies": []any{}}))
	if a := <-done; a.err != nil || string(a.raw) != `{"cookies":[]}` {
		t.Errorf("got %s, %v", a.raw, a.err)
	}
}
