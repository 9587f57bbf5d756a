package capture_test

import (
	"context"
	"testing"

	"cdphost/host/capture"
	"cdphost/host/cdp/cdptest"
	"cdphost/host/endpoint"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

func TestCaptureOfATaskWithoutBrowser(t *testing.T) {
	t.Parallel()
	r := newRegistry()
	t.Cleanup(func() { r.StopAll(context.Background()) })
	m := capture.NewManager(r)
	_, err := m.Capture(bound(t), supervisor.Key{Caller: "test", TaskID: "nothing"}, trusted)
	wantCode(t, err, fault.CaptureInvalid)
	_, err = m.Subscribe(bound(t), supervisor.Key{Caller: "test", TaskID: "nothing"}, trusted, supervisor.Filter{}, 1)
	wantCode(t, err, fault.CaptureInvalid)
}

func TestHandleIsPinnedToPageAndEpoch(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	handle := h.capture(t, trusted)
	second := h.open(t)
	h.sup.SetCurrent(second.TabID)
	if handle.PageSession() != h.page.SessionID || handle.TabID() != h.page.TabID {
		t.Errorf("page = %s %s, want %s %s", handle.PageSession(), handle.TabID(), h.page.SessionID, h.page.TabID)
	}
	if got := h.capture(t, trusted).PageSession(); got != second.SessionID {
		t.Errorf("the next handle's page is %s, want %s", got, second.SessionID)
	}
	if handle.Epoch() != h.sup.Snapshot().Epoch || handle.Task() != h.key || handle.Supervisor() != h.sup {
		t.Errorf("handle = %+v", handle)
	}
}

func TestWhatEndsAHandle(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*testing.T, *host, *capture.Handle){
		"the connection drops": func(_ *testing.T, h *host, _ *capture.Handle) { h.mock.Drop() },
		"the task is stopped":  func(t *testing.T, h *host, _ *capture.Handle) { h.registry.Stop(bound(t), h.key) },
		"the task is replaced": func(t *testing.T, h *host, _ *capture.Handle) {
			u, err := endpoint.ParseURL(cdptest.New(t, cdptest.Options{}).URL())
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := h.registry.GetOrStart(bound(t), h.key, endpoint.Spec{Kind: endpoint.CDP, URL: u}, supervisor.Settings{}); err != nil {
				t.Error(err)
			}
		},
		"it is released": func(_ *testing.T, _ *host, handle *capture.Handle) { handle.Release() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := onMock(t)
			h.mock.Hang("Network.getCookies")
			handle := h.capture(t, trusted)
			if !handle.Valid() {
				t.Fatal("a new handle is not valid")
			}
			inFlight := make(chan error, 1)
			go func() { // without any deadline
				_, err := handle.Call(context.Background(), "Network.getCookies", nil, capture.OnSession(h.page.SessionID))
				inFlight <- err
			}()
			h.mock.MustReceive(t, "Network.getCookies", 1)
			end(t, h, handle)
			f := wantCode(t, <-inFlight, fault.CaptureInvalid)
			if f.Details["sent"] != true {
				t.Errorf("details = %v, want it told that it was sent", f.Details)
			}
			select {
			case <-handle.Invalid():
			case <-bound(t).Done():
				t.Fatal("Invalid was not closed")
			}
			if handle.Valid() {
				t.Error("the handle is still valid")
			}
			_, err := handle.Call(context.Background(), "Runtime.evaluate", M{"expression": "1"}, capture.OnSession(h.page.SessionID))
			wantCode(t, err, fault.CaptureInvalid)
			_, err = handle.Call(context.Background(), "Browser.getVersion", nil)
			wantCode(t, err, fault.CaptureInvalid)
		})
	}
}

func TestHandleNeverFollowsToANewConnection(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	old := h.capture(t, trusted)
	h.mock.Drop()
	page := h.reconnected(t, old.Epoch())
	if old.Valid() {
		t.Error("the old handle is valid again")
	}
	fresh := h.capture(t, trusted)
	if fresh.PageSession() != page.SessionID || fresh.Epoch() == old.Epoch() {
		t.Errorf("the new handle is of epoch %d and session %s", fresh.Epoch(), fresh.PageSession())
	}
	mustCall(t, fresh, "Runtime.evaluate", M{"expression": "1"}, capture.OnSession(page.SessionID))
	_, err := old.Call(bound(t), "Runtime.evaluate", M{"expression": "2"}, capture.OnSession(page.SessionID))
	wantCode(t, err, fault.CaptureInvalid)
	if n := h.count("Runtime.evaluate", "expression", "2"); n != 0 {
		t.Errorf("the old handle's command arrived %d times", n)
	}
}

func TestAnErrorOrATimeoutDoesNotEndAHandle(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	h.mock.Hang("Network.getCookies")
	handle := h.capture(t, trusted)
	_, err := handle.Call(bound(t), "No.suchMethod", nil, capture.OnSession(h.page.SessionID))
	wantCode(t, err, fault.CDPError)
	ctx, cancel := context.WithTimeout(t.Context(), 1)
	defer cancel()
	_, err = handle.Call(ctx, "Network.getCookies", nil, capture.OnSession(h.page.SessionID))
	wantCode(t, err, fault.NotSent)
	if !handle.Valid() {
		t.Error("the handle is not valid any more")
	}
	mustCall(t, handle, "Runtime.evaluate", M{"expression": "1"}, capture.OnSession(h.page.SessionID))
}

func TestReleaseTwiceAndManagersCount(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	handle := h.capture(t, trusted)
	if n := h.captures.Handles(); n != 1 {
		t.Errorf("handles = %d", n)
	}
	handle.Release()
	handle.Release()
	if n := h.captures.Handles(); n != 0 {
		t.Errorf("handles = %d after the release", n)
	}
}
