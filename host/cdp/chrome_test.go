package cdp_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"cdphost/host/cdp"
	"cdphost/host/cdp/cdptest"
)

// chrome is a page of a real browser.
type chrome struct {
	*cdp.Conn
	t       *testing.T
	session string
	events  chan cdp.Event // those of the kinds that openChrome was told
}

func openChrome(t *testing.T, methods ...string) *chrome {
	t.Helper()
	b := cdptest.Chrome(t)
	client := &http.Client{Transport: &http.Transport{}}
	transport, err := cdp.Dial(t.Context(), b.WSURL, cdp.DialOptions{HTTPClient: client})
	if err != nil {
		t.Fatal(err)
	}
	c := &chrome{t: t, events: make(chan cdp.Event, 100)}
	c.Conn = cdp.NewConn(transport, cdp.Options{Handler: func(ev cdp.Event) {
		for _, m := range methods {
			if ev.Method == m {
				ev.Params = append([]byte(nil), ev.Params...)
				c.events <- ev
			}
		}
	}})
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		client.CloseIdleConnections()
	})
	var created target.CreateTargetResult
	c.call("", "Target.createTarget", &target.CreateTargetParams{URL: "about:blank"}, &created)
	var attached target.AttachToTargetResult
	c.call("", "Target.attachToTarget", &target.AttachToTargetParams{TargetID: created.TargetID, Flatten: new(true)}, &attached)
	c.session = string(attached.SessionID)
	return c
}

// call makes one call, which must succeed.
func (c *chrome) call(session, method string, params, result any) {
	c.t.Helper()
	raw, err := c.Call(c.t.Context(), cdp.Command{SessionID: session, Method: method, Params: cdp.Marshal(params)})
	if err == nil {
		err = cdp.Unmarshal(raw, result)
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

func (c *chrome) event() cdp.Event {
	c.t.Helper()
	select {
	case ev := <-c.events:
		return ev
	case <-time.After(30 * time.Second):
		c.t.Fatal("no event")
		panic("unreachable")
	}
}

// What the scan takes for granted must be what the browser writes: every kind
// of message, with page-made text that tries to look like the envelope.
func TestChromeWritesTheShapeThatIsScanned(t *testing.T) {
	t.Parallel()
	c := openChrome(t, "Runtime.consoleAPICalled")
	c.call(c.session, "Runtime.enable", struct{}{}, &struct{}{})
	for _, text := range []string{`","sessionId":"x`, `}`, `"}`, `\\`, `\`, "\u2028", "\x00", `,"sessionId":"0123456789ABCDEF0123456789ABCDEF"}`} {
		literal, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		var done runtime.EvaluateResult
		c.call(c.session, "Runtime.evaluate", &runtime.EvaluateParams{Expression: fmt.Sprintf("console.log(%s), %[1]s", literal)}, &done)
		var got string
		if err := json.Unmarshal(done.Result.Value, &got); err != nil || got != text {
			t.Errorf("result is %q, want %q", got, text)
		}
		ev := c.event()
		var logged runtime.EventConsoleAPICalled
		if err := cdp.Unmarshal(ev.Params, &logged); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(logged.Args[0].Value, &got); err != nil || got != text || ev.SessionID != c.session {
			t.Errorf("event of session %q is %q, want %q of %q", ev.SessionID, got, text, c.session)
		}
	}
	_, err := c.Call(t.Context(), cdp.Command{SessionID: "gone", Method: "Page.enable"})
	var refused *cdp.Error
	if !errors.As(err, &refused) || refused.Code != -32001 {
		t.Errorf("error is %v, want -32001", err)
	}
	if s := c.Stats(); s.Parsed != 0 || s.Malformed != 0 || s.Unmatched != 0 {
		t.Errorf("Stats = %+v, want every message scanned", s)
	}
}

func TestChromeDialogWithALoneSurrogate(t *testing.T) {
	t.Parallel()
	c := openChrome(t, "Page.javascriptDialogOpening", "Page.javascriptDialogClosed")
	c.call(c.session, "Page.enable", struct{}{}, &struct{}{})
	answered := make(chan error, 1)
	c.Post([]cdp.Command{{SessionID: c.session, Method: "Runtime.evaluate", Params: cdp.Marshal(&runtime.EvaluateParams{Expression: `alert("a\ud800b")`})}},
		func(_ int, _ json.RawMessage, err error) { answered <- err })
	var opened page.EventJavascriptDialogOpening
	if err := cdp.Unmarshal(c.event().Params, &opened); err != nil {
		t.Fatal(err)
	}
	if opened.Type != page.DialogTypeAlert || opened.Message[:1] != "a" {
		t.Errorf("event is %+v", opened)
	}
	c.call(c.session, "Page.handleJavaScriptDialog", &page.HandleJavaScriptDialogParams{Accept: true}, &struct{}{})
	if ev := c.event(); ev.Method != "Page.javascriptDialogClosed" {
		t.Errorf("event is %s", ev.Method)
	}
	if err := <-answered; err != nil {
		t.Error(err)
	}
}

func TestChromeReplyOverTheLimit(t *testing.T) {
	t.Parallel()
	b := cdptest.Chrome(t)
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	transport, err := cdp.Dial(t.Context(), b.WSURL, cdp.DialOptions{HTTPClient: client})
	if err != nil {
		t.Fatal(err)
	}
	c := cdp.NewConn(transport, cdp.Options{ReadLimit: 64})
	defer func() { _ = c.Close() }()
	for range 2 {
		_, err := c.Call(t.Context(), cdp.Command{Method: "Browser.getVersion"})
		if !errors.Is(err, cdp.ErrReplyTooBig) || c.Err() != nil {
			t.Errorf("error is %v, Err %v, want %v and an open connection", err, c.Err(), cdp.ErrReplyTooBig)
		}
	}
}
