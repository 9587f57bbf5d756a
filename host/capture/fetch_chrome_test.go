package capture_test

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"cdphost/host/capture"
	"cdphost/host/cdp"
	"cdphost/host/cdp/cdptest"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// interceptor is a holder that intercepts requests whose url holds a word, and is
// told of them.
type interceptor struct {
	*capture.Handle
	sub *supervisor.Subscription
}

func (h *host) intercept(t *testing.T, name, word string) interceptor {
	t.Helper()
	holder := capture.Holder{Name: name, Trusted: true}
	sub, err := h.captures.Subscribe(bound(t), h.key, holder, supervisor.Filter{Methods: []string{"Fetch.*"}}, 64)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(sub.Close)
	i := interceptor{h.capture(t, holder), sub}
	mustCall(t, i.Handle, "Fetch.enable", M{"patterns": []M{{"urlPattern": "*" + word + "*"}}}, capture.OnSession(h.page.SessionID))
	return i
}

// paused waits for the next request of an interceptor and returns its id.
func (i interceptor) paused(t *testing.T, word string) string {
	t.Helper()
	select {
	case ev := <-i.sub.C:
		if ev.Method != "Fetch.requestPaused" || !strings.Contains(cdptest.Field(ev.Params, "request.url"), word) {
			t.Fatalf("got %s %s, want a request of %s", ev.Method, ev.Params, word)
		}
		return cdptest.Field(ev.Params, "requestId")
	case <-bound(t).Done():
		t.Fatalf("no request of %s paused", word)
		return ""
	}
}

func (i interceptor) fulfil(t *testing.T, h *host, id, body string) {
	t.Helper()
	mustCall(t, i.Handle, "Fetch.fulfillRequest", M{"requestId": id, "responseCode": 200, "body": base64.StdEncoding.EncodeToString([]byte(body))},
		capture.OnSession(h.page.SessionID))
}

// request has the page fetch a path and says what came.
func (h *host) request(t *testing.T, path string) <-chan string {
	t.Helper()
	got := make(chan string, 1)
	h.sup.Post(cdp.Command{SessionID: h.page.SessionID, Method: "Runtime.evaluate", Params: cdp.Marshal(M{
		"expression": `fetch("` + path + `").then(r => r.text(), String)`, "awaitPromise": true, "returnByValue": true,
	})}, func(raw json.RawMessage, err error) {
		if err != nil {
			got <- err.Error()
			return
		}
		got <- cdptest.Field(raw, "result.value")
	})
	return got
}

func TestHoldersInterceptSideBySide(t *testing.T) {
	t.Parallel()
	s := site(t)
	h := onChrome(t)
	h.load(t, s.URL("a.test", "/"))
	page := capture.OnSession(h.page.SessionID)
	a, b := h.intercept(t, "alpha", "alpha"), h.intercept(t, "beta", "beta")

	fromA, fromB := h.request(t, "/alpha"), h.request(t, "/beta")
	idA, idB := a.paused(t, "alpha"), b.paused(t, "beta")
	_, err := b.Call(bound(t), "Fetch.continueRequest", M{"requestId": idA}, page)
	if f := wantCode(t, err, fault.NotYours); f.Details["owner"] != "alpha" {
		t.Errorf("details = %v", f.Details)
	}
	b.fulfil(t, h, idB, "from beta")
	a.fulfil(t, h, idA, "from alpha")
	if x, y := <-fromA, <-fromB; x != "from alpha" || y != "from beta" {
		t.Errorf("the page got %q and %q", x, y)
	}

	// A request that nobody wants never pauses for anybody.
	if got := <-h.request(t, "/echo"); got != "{}" {
		t.Errorf("the page got %q", got)
	}

	// One switches off: its request goes on, the other still intercepts.
	fromA = h.request(t, "/alpha")
	a.paused(t, "alpha")
	mustCall(t, a.Handle, "Fetch.disable", nil, page)
	if got := <-fromA; !strings.Contains(got, "404") {
		t.Errorf("the page got %q, want the site's own answer", got)
	}
	fromB = h.request(t, "/beta")
	b.fulfil(t, h, b.paused(t, "beta"), "again beta")
	if got := <-fromB; got != "again beta" {
		t.Errorf("the page got %q", got)
	}
	if got := <-h.request(t, "/alpha"); !strings.Contains(got, "404") {
		t.Errorf("the page got %q", got)
	}

	// The other is released with a request paused.
	fromB = h.request(t, "/beta")
	b.paused(t, "beta")
	b.Release()
	if got := <-fromB; !strings.Contains(got, "404") {
		t.Errorf("the page got %q", got)
	}
	if got := <-h.request(t, "/beta"); !strings.Contains(got, "404") {
		t.Errorf("the page got %q", got)
	}
}

func TestTwoWhoWantTheSameRequest(t *testing.T) {
	t.Parallel()
	s := site(t)
	h := onChrome(t)
	h.load(t, s.URL("a.test", "/"))
	page := capture.OnSession(h.page.SessionID)
	b, a := h.intercept(t, "beta", "echo"), h.intercept(t, "alpha", "echo")

	// What the first changes, the second is shown, and the site gets.
	got := h.request(t, "/echo")
	id := a.paused(t, "echo")
	mustCall(t, a.Handle, "Fetch.continueRequest", M{"requestId": id, "url": s.URL("a.test", "/next")}, page)
	if other := b.paused(t, "/next"); other != id {
		t.Errorf("ids %s and %s", id, other)
	}
	mustCall(t, b.Handle, "Fetch.continueRequest", M{"requestId": id, "headers": []M{{"name": "X-From", "value": "beta"}}}, page)
	if got := <-got; got != "<title>next</title>" {
		t.Errorf("the page got %q", got)
	}

	// The first fulfils: the second is not asked. The next it is asked about is another.
	got = h.request(t, "/echo?1")
	a.fulfil(t, h, a.paused(t, "echo?1"), "from alpha")
	if got := <-got; got != "from alpha" {
		t.Errorf("the page got %q", got)
	}
	got = h.request(t, "/echo?2")
	a.paused(t, "echo?2")
	a.Release() // the other still sees to it
	b.fulfil(t, h, b.paused(t, "echo?2"), "from beta")
	if got := <-got; got != "from beta" {
		t.Errorf("the page got %q", got)
	}
}

func TestTheResponseIsShownToWhoAskedForIt(t *testing.T) {
	t.Parallel()
	s := site(t)
	h := onChrome(t)
	h.load(t, s.URL("a.test", "/"))
	page := capture.OnSession(h.page.SessionID)
	a, b := h.intercept(t, "alpha", "echo"), h.intercept(t, "beta", "echo")
	got := h.request(t, "/echo")
	id := a.paused(t, "echo")
	mustCall(t, a.Handle, "Fetch.continueRequest", M{"requestId": id, "interceptResponse": true}, page)
	mustCall(t, b.Handle, "Fetch.continueRequest", M{"requestId": b.paused(t, "echo")}, page)
	id = a.paused(t, "echo")
	if raw := mustCall(t, a.Handle, "Fetch.getResponseBody", M{"requestId": id}, page); cdptest.Field(raw, "body") == "" {
		t.Errorf("the response is %s", raw)
	}
	a.Release()
	if got := <-got; got != "{}" {
		t.Errorf("the page got %q", got)
	}
}

func TestARefusedFetchEnableLeavesTheOthers(t *testing.T) {
	t.Parallel()
	s := site(t)
	h := onChrome(t)
	h.load(t, s.URL("a.test", "/"))
	page := capture.OnSession(h.page.SessionID)
	a := h.intercept(t, "alpha", "alpha")
	b := h.capture(t, capture.Holder{Name: "beta", Trusted: true})
	_, err := b.Call(bound(t), "Fetch.enable", M{"patterns": []M{{"urlPattern": "*", "requestStage": "Never"}}}, page)
	wantCode(t, err, fault.CDPError)
	_, err = b.Call(bound(t), "Fetch.enable", M{"patterns": "no list"}, page)
	wantCode(t, err, fault.InvalidArgument)
	got := h.request(t, "/alpha")
	a.fulfil(t, h, a.paused(t, "alpha"), "from alpha")
	if got := <-got; got != "from alpha" {
		t.Errorf("the page got %q", got)
	}
}

func TestFetchOnASessionOfOnesOwn(t *testing.T) {
	t.Parallel()
	s := site(t)
	h := onChrome(t)
	h.load(t, s.URL("a.test", "/"))
	handle := h.capture(t, trusted)
	extra := cdptest.Field(mustCall(t, handle, "Target.attachToTarget", M{"targetId": h.page.TargetID}), "sessionId")
	mustCall(t, handle, "Fetch.enable", nil, capture.OnSession(extra))
	got := h.request(t, "/echo")
	handle.Release() // which must let the request go
	if got := <-got; got != "{}" {
		t.Errorf("the page got %q", got)
	}
	h.until(t, "the session to be gone", func(*supervisor.Snapshot) bool { return !h.sup.OwnsSession(extra) })
}
