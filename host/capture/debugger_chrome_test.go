package capture_test

import (
	"encoding/json"
	"testing"

	"cdphost/host/capture"
	"cdphost/host/cdp"
	"cdphost/host/cdp/cdptest"
	"cdphost/host/supervisor"
)

// A page that is stopped for a debugger goes on when the last of those who could
// see to it has gone.
func TestAPauseEndsWithItsLastDebugger(t *testing.T) {
	t.Parallel()
	h := onChrome(t)
	page := capture.OnSession(h.page.SessionID)
	a, b := h.capture(t, capture.Holder{Name: "alpha", Trusted: true}), h.capture(t, capture.Holder{Name: "beta", Trusted: true})
	mustCall(t, a, "Debugger.enable", nil, page)
	mustCall(t, b, "Debugger.enable", nil, page)
	sub := h.sup.Subscribe(supervisor.Filter{Methods: []string{"Debugger.paused", "Debugger.resumed"}}, 8)
	t.Cleanup(sub.Close)
	done := make(chan string, 1)
	h.sup.Post(cdp.Command{SessionID: h.page.SessionID, Method: "Runtime.evaluate", Params: cdp.Marshal(M{"expression": "debugger; 42"})},
		func(raw json.RawMessage, _ error) { done <- cdptest.Field(raw, "result.value") })
	next := func() string {
		select {
		case ev := <-sub.C:
			return ev.Method
		case <-bound(t).Done():
			t.Fatal("no event")
			return ""
		}
	}
	if got := next(); got != "Debugger.paused" {
		t.Fatalf("got %s", got)
	}
	a.Release()
	h.settled(t)
	select {
	case got := <-done:
		t.Fatalf("the page went on under the other debugger: %s", got)
	default:
	}
	b.Release()
	select {
	case got := <-done:
		if got != "42" {
			t.Errorf("got %s", got)
		}
	case <-bound(t).Done():
		t.Fatal("the page is still stopped")
	}
}
