package capture_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"cdphost/host/capture"
	"cdphost/host/cdp/cdptest"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// interceptAs is a holder that intercepts with the params of its Fetch.enable.
func (h *host) interceptAs(t *testing.T, holder capture.Holder, params M) interceptor {
	t.Helper()
	holder.Trusted = true
	sub, err := h.captures.Subscribe(bound(t), h.key, holder, supervisor.Filter{Methods: []string{"Fetch.*"}}, 64)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(sub.Close)
	i := interceptor{h.capture(t, holder), sub}
	mustCall(t, i.Handle, "Fetch.enable", params, h.onPage())
	return i
}

func (h *host) onPage() capture.Option { return capture.OnSession(h.page.SessionID) }

// three intercept everything; they are asked in the order in which they are
// returned.
func (h *host) three(t *testing.T) (first, second, third interceptor) {
	t.Helper()
	third = h.interceptAs(t, capture.Holder{Name: "beta", Priority: 2}, nil)
	second = h.interceptAs(t, capture.Holder{Name: "alpha", Priority: 2}, nil)
	first = h.interceptAs(t, capture.Holder{Name: "zeta", Priority: 1}, nil)
	return first, second, third
}

// pause lets a request pause in the browser.
func (h *host) pause(id string, more M) {
	params := M{"requestId": id, "frameId": h.page.TargetID, "resourceType": "XHR", "request": M{
		"url": "http://a.test/" + id, "urlFragment": "#f", "method": "GET", "headers": M{"A": "1"},
	}}
	for k, v := range more {
		params[k] = v
	}
	h.mock.Page(h.page.TargetID).Emit("Fetch.requestPaused", params)
}

// asked waits until an interceptor is asked about a request and returns what it is
// shown.
func (i interceptor) asked(t *testing.T, id string) json.RawMessage {
	t.Helper()
	select {
	case ev := <-i.sub.C:
		if got := cdptest.Field(ev.Params, "requestId"); got != id {
			t.Fatalf("asked about %s, want %s", got, id)
		}
		return ev.Params
	case <-bound(t).Done():
		t.Fatalf("not asked about %s", id)
		return nil
	}
}

// notAsked says that an interceptor was asked about nothing but a request which it
// alone intercepts and which pauses now.
func (h *host) notAsked(t *testing.T, i interceptor, others ...interceptor) {
	t.Helper()
	for _, o := range others {
		mustCall(t, o.Handle, "Fetch.disable", nil, h.onPage())
	}
	h.pause("marker", nil)
	i.asked(t, "marker")
}

func TestInterceptorsAreAskedInTurn(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	first, second, third := h.three(t)
	h.pause("r", nil)

	shown := first.asked(t, "r")
	if cdptest.Field(shown, "request.method") != "GET" {
		t.Errorf("the first was shown %s", shown)
	}
	_, err := second.Call(bound(t), "Fetch.continueRequest", M{"requestId": "r"}, h.onPage())
	if f := wantCode(t, err, fault.NotYours); f.Details["owner"] != "zeta" {
		t.Errorf("details %v", f.Details)
	}
	mustCall(t, first.Handle, "Fetch.continueRequest", M{
		"requestId": "r", "method": "POST", "postData": "aGk=",
		"headers": []M{{"name": "B", "value": "2"}, {"name": "B", "value": "3"}},
	}, h.onPage())
	_, err = first.Call(bound(t), "Fetch.failRequest", M{"requestId": "r", "errorReason": "Failed"}, h.onPage())
	if f := wantCode(t, err, fault.NotYours); f.Details["owner"] != "alpha" {
		t.Errorf("details %v", f.Details)
	}

	shown = second.asked(t, "r")
	for path, want := range map[string]string{
		"request.url": "http://a.test/r", "request.urlFragment": "#f", "request.method": "POST", "request.headers.B": "2, 3",
		"request.headers.A": "", "request.postData": "hi", "resourceType": "XHR",
	} {
		if got := cdptest.Field(shown, path); got != want {
			t.Errorf("the second was shown %s = %q, want %q", path, got, want)
		}
	}
	mustCall(t, second.Handle, "Fetch.continueRequest", M{"requestId": "r", "url": "http://b.test/#g"}, h.onPage())

	shown = third.asked(t, "r")
	for path, want := range map[string]string{
		"request.url": "http://b.test/#g", "request.urlFragment": "", "request.method": "POST", "request.headers.B": "2, 3",
	} {
		if got := cdptest.Field(shown, path); got != want {
			t.Errorf("the third was shown %s = %q, want %q", path, got, want)
		}
	}
	if n := h.count("Fetch.continueRequest"); n != 0 {
		t.Errorf("the browser was told %d times before the last was asked", n)
	}
	var validated json.RawMessage
	mustCall(t, third.Handle, "Fetch.continueRequest", M{"requestId": "r", "headers": []M{{"name": "C", "value": "4"}}},
		h.onPage(), capture.WithBeforeSend(func(c capture.Command, _ capture.Facts) error {
			validated = c.Params
			return nil
		}))
	sent := h.mock.Sent("Fetch.continueRequest")
	if len(sent) != 1 {
		t.Fatalf("the browser was told %d times", len(sent))
	}
	for path, want := range map[string]string{
		"requestId": "r", "url": "http://b.test/#g", "method": "POST", "postData": "aGk=", "headers.0.name": "C", "headers.1.name": "",
	} {
		if got := sent[0].Get(path); got != want {
			t.Errorf("the browser was told %s = %q, want %q", path, got, want)
		}
		if got := cdptest.Field(validated, path); got != want {
			t.Errorf("before_send saw %s = %q, want %q", path, got, want)
		}
	}
}

func TestTheOneWhoFulfilsIsTheLast(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		method string
		params M
	}{
		{"Fetch.fulfillRequest", M{"requestId": "r", "responseCode": 200}},
		{"Fetch.failRequest", M{"requestId": "r", "errorReason": "AccessDenied"}},
	} {
		t.Run(c.method, func(t *testing.T) {
			t.Parallel()
			h := onMock(t)
			first, second, third := h.three(t)
			h.pause("r", nil)
			first.asked(t, "r")
			mustCall(t, first.Handle, c.method, c.params, h.onPage())
			if n := h.count(c.method, "requestId", "r"); n != 1 {
				t.Errorf("the browser was told %d times", n)
			}
			h.notAsked(t, third, first, second)
			if n := h.count("Fetch.continueRequest", "requestId", "r"); n != 0 {
				t.Error("a request that was answered went on")
			}
		})
	}
}

func TestWhatCanNotBePassedOnIsRefused(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	first, second, _ := h.three(t)
	h.pause("r", nil)
	first.asked(t, "r")
	for _, c := range []struct {
		method string
		params M
	}{
		{"Fetch.continueRequest", M{"requestId": "r", "url": 5}},
		{"Fetch.continueRequest", M{"requestId": "r", "postData": "no base64!"}},
		{"Fetch.continueResponse", M{"requestId": "r"}},
		{"Fetch.continueWithAuth", M{"requestId": "r", "authChallengeResponse": M{"response": "Default"}}},
	} {
		_, err := first.Call(bound(t), c.method, c.params, h.onPage())
		wantCode(t, err, fault.InvalidArgument)
	}
	mustCall(t, first.Handle, "Fetch.continueRequest", M{"requestId": "r"}, h.onPage())
	second.asked(t, "r")
}

func TestOneWhoGoesPassesItsRequestsOn(t *testing.T) {
	t.Parallel()
	for how, end := range map[string]func(*testing.T, *host, interceptor){
		"released":     func(_ *testing.T, _ *host, i interceptor) { i.Release() },
		"died":         func(_ *testing.T, h *host, _ interceptor) { h.captures.ReleaseAll("zeta", 0) },
		"switched off": func(t *testing.T, h *host, i interceptor) { mustCall(t, i.Handle, "Fetch.disable", nil, h.onPage()) },
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			h := onMock(t)
			first, second, third := h.three(t)
			h.pause("r", nil)
			first.asked(t, "r")
			end(t, h, first)
			second.asked(t, "r")
			mustCall(t, second.Handle, "Fetch.continueRequest", M{"requestId": "r", "method": "PUT"}, h.onPage())
			if shown := third.asked(t, "r"); cdptest.Field(shown, "request.method") != "PUT" {
				t.Errorf("the third was shown %s", shown)
			}
			second.Release() // what it has said stays
			third.Release()
			h.arrived(t, "Fetch.continueRequest", "requestId", "r", "method", "PUT")
			h.settled(t)
			if n := h.count("Fetch.continueRequest"); n != 1 {
				t.Errorf("the browser was told %d times", n)
			}
		})
	}
}

func TestOneWhoGoesBeforeItsTurnIsNotAsked(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	first, second, third := h.three(t)
	h.pause("r", nil)
	first.asked(t, "r")
	second.Release()
	mustCall(t, first.Handle, "Fetch.continueRequest", M{"requestId": "r"}, h.onPage())
	third.asked(t, "r")
}

func TestARequestThatTheBrowserRefusesToContinueFails(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	first, second, third := h.three(t)
	h.mock.Handle("Fetch.continueRequest", func(*cdptest.Request) cdptest.Reply { return cdptest.Refuse(-32602, "Invalid header") })
	third.Release()
	h.pause("r", nil)
	first.asked(t, "r")
	mustCall(t, first.Handle, "Fetch.continueRequest", M{"requestId": "r", "headers": []M{{"name": "\n", "value": ""}}}, h.onPage())
	second.asked(t, "r")
	_, err := second.Call(bound(t), "Fetch.continueRequest", M{"requestId": "r"}, h.onPage())
	wantCode(t, err, fault.CDPError) // it may still fail or fulfil it
	second.Release()
	h.arrived(t, "Fetch.failRequest", "requestId", "r", "errorReason", "Failed")
}

func TestOneWhoLetsOthersWaitLosesItsTurn(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	h.sup.Configure(supervisor.Settings{Toolset: "browser", InterceptTurn: time.Millisecond})
	first, second, third := h.three(t)
	h.pause("r", nil)
	first.asked(t, "r")
	second.asked(t, "r")
	third.asked(t, "r")
	_, err := first.Call(bound(t), "Fetch.continueRequest", M{"requestId": "r"}, h.onPage())
	if f := wantCode(t, err, fault.NotYours); f.Details["owner"] != "beta" {
		t.Errorf("details %v", f.Details)
	}
	// Nobody waits behind the last.
	first.Release()
	second.Release()
	h.notAsked(t, third)
	if n := h.count("Fetch.continueRequest"); n != 0 {
		t.Error("the last was hurried")
	}
	mustCall(t, third.Handle, "Fetch.continueRequest", M{"requestId": "r"}, h.onPage())
	if n := h.count("Fetch.continueRequest", "requestId", "r"); n != 1 {
		t.Errorf("the browser was told %d times", n)
	}
}

func TestResponsesArePassedOn(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	patterns := M{"patterns": []M{{"requestStage": "Response"}}}
	first := h.interceptAs(t, capture.Holder{Name: "alpha"}, patterns)
	second := h.interceptAs(t, capture.Holder{Name: "beta"}, patterns)
	h.pause("r", M{"responseStatusCode": 200, "responseStatusText": "OK", "responseHeaders": []M{{"name": "A", "value": "1"}}})
	first.asked(t, "r")
	_, err := first.Call(bound(t), "Fetch.continueRequest", M{"requestId": "r", "url": "http://b.test/"}, h.onPage())
	wantCode(t, err, fault.InvalidArgument)
	mustCall(t, first.Handle, "Fetch.continueResponse", M{
		"requestId": "r", "responseCode": 201, "responsePhrase": "Made", "binaryResponseHeaders": "QTogMgBCOiAzAA==", // "A: 2", "B: 3"
	}, h.onPage())
	shown := second.asked(t, "r")
	for path, want := range map[string]string{
		"responseStatusCode": "201", "responseStatusText": "Made", "responseHeaders.0.value": "2", "responseHeaders.1.name": "B",
	} {
		if got := cdptest.Field(shown, path); got != want {
			t.Errorf("the second was shown %s = %q, want %q", path, got, want)
		}
	}
	mustCall(t, second.Handle, "Fetch.continueRequest", M{"requestId": "r"}, h.onPage())
	h.arrived(t, "Fetch.continueResponse", "requestId", "r", "responseCode", "201", "binaryResponseHeaders", "QTogMgBCOiAzAA==")
	if n := h.count("Fetch.continueRequest"); n != 0 {
		t.Error("the change was lost")
	}
}

func TestWhoAsksForTheResponseIsAskedAboutIt(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	first, second, third := h.three(t)
	third.Release()
	h.pause("r", nil)
	first.asked(t, "r")
	mustCall(t, first.Handle, "Fetch.continueRequest", M{"requestId": "r", "interceptResponse": true}, h.onPage())
	second.asked(t, "r")
	mustCall(t, second.Handle, "Fetch.continueRequest", M{"requestId": "r", "interceptResponse": false}, h.onPage())
	h.arrived(t, "Fetch.continueRequest", "requestId", "r", "interceptResponse", "true")
	h.pause("r", M{"responseStatusCode": 200})
	first.asked(t, "r")
	mustCall(t, first.Handle, "Fetch.continueResponse", M{"requestId": "r", "responseCode": 204}, h.onPage())
	h.arrived(t, "Fetch.continueResponse", "requestId", "r", "responseCode", "204")
	h.notAsked(t, second, first)
}

func TestCredentialsAreAskedForInTurn(t *testing.T) {
	t.Parallel()
	auth := M{"handleAuthRequests": true}
	answer := func(response string) M {
		return M{"requestId": "r", "authChallengeResponse": M{"response": response, "username": "u", "password": "p"}}
	}
	start := func(t *testing.T) (h *host, first, second interceptor) {
		h = onMock(t)
		first = h.interceptAs(t, capture.Holder{Name: "alpha"}, auth)
		second = h.interceptAs(t, capture.Holder{Name: "beta"}, auth)
		h.mock.Page(h.page.TargetID).Emit("Fetch.authRequired", M{"requestId": "r", "request": M{"url": "http://a.test/"}})
		first.asked(t, "r")
		return h, first, second
	}
	t.Run("the first knows them", func(t *testing.T) {
		t.Parallel()
		h, first, second := start(t)
		mustCall(t, first.Handle, "Fetch.continueWithAuth", answer("ProvideCredentials"), h.onPage())
		h.arrived(t, "Fetch.continueWithAuth", "authChallengeResponse.username", "u")
		h.notAsked(t, second, first)
	})
	t.Run("the second knows them", func(t *testing.T) {
		t.Parallel()
		h, first, second := start(t)
		mustCall(t, first.Handle, "Fetch.continueWithAuth", answer("Default"), h.onPage())
		second.asked(t, "r")
		mustCall(t, second.Handle, "Fetch.continueWithAuth", answer("ProvideCredentials"), h.onPage())
		if n := h.count("Fetch.continueWithAuth"); n != 1 {
			t.Errorf("the browser was told %d times", n)
		}
	})
	t.Run("all go", func(t *testing.T) {
		t.Parallel()
		h, first, second := start(t)
		second.Release()
		first.Release()
		h.arrived(t, "Fetch.continueWithAuth", "requestId", "r", "authChallengeResponse.response", "Default")
	})
}

func TestOneWhoOnlyListensIsToldOnce(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	published := make(chan supervisor.Event, 64)
	h.sup.Configure(supervisor.Settings{
		Toolset: "browser", Publish: func(e supervisor.Event) { published <- e }, PublishMethods: []string{"Fetch.*"},
	})
	listener, err := h.captures.Subscribe(bound(t), h.key, trusted, supervisor.Filter{Methods: []string{"Fetch.*"}}, 64)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(listener.Close)
	first, second, third := h.three(t)
	h.pause("r", nil)
	for _, i := range []interceptor{first, second, third} {
		i.asked(t, "r")
		mustCall(t, i.Handle, "Fetch.continueRequest", M{"requestId": "r"}, h.onPage())
	}
	if n := len(listener.C); n != 1 {
		t.Errorf("it was told %d times", n)
	}
	// What is published says whom it is for.
	var told []string
	for range 3 {
		e := <-published
		for _, name := range []string{"alpha", "beta", "zeta", "listener"} {
			if e.Audience.Includes(name) {
				told = append(told, name)
			}
		}
	}
	if want := []string{"zeta", "listener", "alpha", "beta"}; !slices.Equal(told, want) {
		t.Errorf("told were %v, want %v", told, want)
	}
}

func TestTooManyPausedRequestsGoOn(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	_ = h.interceptAs(t, capture.Holder{Name: "alpha"}, nil)
	for i := range 10001 {
		h.pause(fmt.Sprintf("r%d", i), nil)
	}
	h.arrived(t, "Fetch.continueRequest", "requestId", "r0")
	h.settled(t)
	if n := h.count("Fetch.continueRequest", "requestId", "r9999"); n != 0 {
		t.Error("one of the newest went on")
	}
}
