package capture_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"cdphost/host/capture"
	"cdphost/host/cdp"
	"cdphost/host/cdp/cdptest"
	"cdphost/sdk/fault"
)

func TestErrorsSayHowFarACommandCame(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	handle := h.capture(t, trusted)
	page := capture.OnSession(h.page.SessionID)
	h.mock.Hang("Network.getCookies")
	h.mock.FailNth("DOM.getDocument", 1, &cdptest.Error{Code: -32123, Message: "Not now", Data: "later"})

	_, err := handle.Call(bound(t), "DOM.getDocument", nil, page)
	f := wantCode(t, err, fault.CDPError)
	var answer *cdp.Error
	if !errors.As(err, &answer) || *answer != (cdp.Error{Code: -32123, Message: "Not now", Data: "later"}) {
		t.Errorf("%v does not unwrap to what the browser answered", err)
	}
	if f.Details["cdp_code"] != int64(-32123) || f.Message != "DOM.getDocument: Not now" {
		t.Errorf("error = %+v", f)
	}
	if errors.Is(err, cdp.ErrNotSent) || errors.Is(err, cdp.ErrNoReply) {
		t.Errorf("%v was answered", err)
	}

	deadline, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	failed := make(chan error, 1)
	go func() { _, err := handle.Call(deadline, "Network.getCookies", nil, page); failed <- err }()
	h.mock.MustReceive(t, "Network.getCookies", 1)
	err = <-failed
	wantCode(t, err, fault.SentNoReply)
	if !errors.Is(err, cdp.ErrNoReply) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v hides its cause", err)
	}

	go func() { _, err := handle.Call(context.Background(), "Network.getCookies", nil, page); failed <- err }()
	h.mock.MustReceive(t, "Network.getCookies", 2)
	h.mock.Page(h.page.TargetID).Destroy()
	err = <-failed
	f = wantCode(t, err, fault.SentNoReply)
	if f.Details["cause"] != "session_gone" || !errors.Is(err, cdp.ErrSessionGone) {
		t.Errorf("error = %+v", f)
	}
	_, err = handle.Call(bound(t), "Network.getCookies", nil, page)
	wantCode(t, err, fault.SessionNotFound)
}

func TestCallerWhoGivesUpIsToldWhetherItWasSent(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	handle := h.capture(t, trusted)
	h.mock.Hang("Network.getCookies")
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() {
		_, err := handle.Call(ctx, "Network.getCookies", nil, capture.OnSession(h.page.SessionID))
		failed <- err
	}()
	h.mock.MustReceive(t, "Network.getCookies", 1)
	cancel()
	f := wantCode(t, <-failed, fault.Aborted)
	if f.Details["sent"] != true {
		t.Errorf("details = %v", f.Details)
	}
}
