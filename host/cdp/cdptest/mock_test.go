package cdptest_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"cdphost/host/cdp/cdptest"
)

// pageOn opens a page with a raw client of its own.
func pageOn(t *testing.T, s *cdptest.Server) (*cdptest.Tab, *cdptest.Page) {
	t.Helper()
	tab := cdptest.NewContextAt(t, s.URL()).NewTab(t)
	return tab, s.Page(tab.TargetID)
}

func TestScript(t *testing.T) {
	t.Parallel()
	s := cdptest.New(t, cdptest.Options{})
	c := cdptest.Dial(t, s.URL())
	get := func() string {
		result, err := c.Call(t.Context(), "", "Browser.getVersion", nil)
		if err != nil {
			return err.Error()
		}
		return cdptest.Field(result, "protocolVersion")
	}
	get()
	s.FailNth("Browser.getVersion", 2, &cdptest.Error{Code: -32000, Message: "second"})
	s.Handle("Browser.getVersion", func(r *cdptest.Request) cdptest.Reply {
		if r.Seq == 4 {
			return cdptest.Default
		}
		return cdptest.Result(M{"protocolVersion": "handled"})
	})
	got := []string{get(), get(), get()}
	s.Handle("Browser.getVersion", nil)
	got = append(got, get())
	if want := []string{"handled", "cdp error -32000: second", "1.3", "1.3"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestHangAndLateAnswer(t *testing.T) {
	t.Parallel()
	s := cdptest.New(t, cdptest.Options{})
	c := cdptest.Dial(t, s.URL())
	requests := make(chan *cdptest.Request, 1)
	s.Hang("Target.getTargets")
	s.Handle("Browser.getVersion", func(r *cdptest.Request) cdptest.Reply {
		requests <- r
		return cdptest.NoReply
	})
	calls := c.Send(cdptest.Command{Method: "Target.getTargets"}, cdptest.Command{Method: "Browser.getVersion"})
	(<-requests).Answer(cdptest.Refuse(-32000, "late"))
	if a := <-calls[1]; a.Err == nil || a.Err.Error() != "cdp error -32000: late" {
		t.Errorf("late answer: %+v", a)
	}
	select {
	case a := <-calls[0]:
		t.Errorf("a hanging method answered: %+v", a)
	default:
	}
}

func TestRecord(t *testing.T) {
	t.Parallel()
	s := cdptest.New(t, cdptest.Options{})
	tab, _ := pageOn(t, s)
	tab.Eval(t, "1")
	sent := s.MustReceive(t, "Runtime.evaluate", 1)
	if len(sent) != 1 || sent[0].SessionID != tab.SessionID || sent[0].Get("expression") != "1" || sent[0].Conn != 1 {
		t.Errorf("sent: %+v", sent)
	}
	go tab.Send(cdptest.Command{Method: "Browser.getVersion"})
	if err := s.WaitFor(t.Context(), func(sent []cdptest.Request) bool {
		return sent[len(sent)-1].Method == "Browser.getVersion"
	}); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if s.WaitFor(ctx, func([]cdptest.Request) bool { return false }) == nil {
		t.Error("WaitFor ended without its condition")
	}
	s.ForgetSent()
	if sent := s.Sent(""); len(sent) != 0 {
		t.Errorf("record after ForgetSent: %+v", sent)
	}
}

func TestDiscoveryDocument(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		opts   cdptest.Options
		status int
	}{{cdptest.Options{}, http.StatusOK}, {cdptest.Options{NoVersion: true}, http.StatusNotFound}} {
		s := cdptest.New(t, test.opts)
		resp, err := http.Get(s.HTTPURL() + "/json/version")
		if err != nil {
			t.Fatal(err)
		}
		var doc struct{ WebSocketDebuggerURL string }
		_ = json.NewDecoder(resp.Body).Decode(&doc) // not JSON when it is not found
		_ = resp.Body.Close()
		if resp.StatusCode != test.status || test.status == http.StatusOK && doc.WebSocketDebuggerURL != s.URL() {
			t.Errorf("%+v: status %d, %q", test.opts, resp.StatusCode, doc.WebSocketDebuggerURL)
		}
	}
	http.DefaultClient.CloseIdleConnections()
}

func TestRefusedSockets(t *testing.T) {
	t.Parallel()
	s := cdptest.New(t, cdptest.Options{OneConnection: true})
	dial := func(origin string) int {
		_, resp, err := websocket.Dial(t.Context(), s.URL(), &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {origin}}})
		if err == nil || resp == nil {
			t.Fatalf("dial: %v", err)
		}
		return resp.StatusCode
	}
	if code := dial("http://evil.test"); code != http.StatusForbidden {
		t.Errorf("with an Origin: %d", code)
	}
	cdptest.Dial(t, s.URL())
	if code := dial(""); code != http.StatusForbidden && code != http.StatusTooManyRequests {
		t.Errorf("second: %d", code)
	}
	s.Drop()
	cdptest.Dial(t, s.URL())
}

func TestDropKeepsPages(t *testing.T) {
	t.Parallel()
	s := cdptest.New(t, cdptest.Options{Empty: true})
	c := cdptest.Dial(t, s.URL())
	kept := cdptest.Field(c.Must(t, "", "Target.createBrowserContext", nil), "browserContextId")
	owned := cdptest.Field(c.Must(t, "", "Target.createBrowserContext", M{"disposeOnDetach": true}), "browserContextId")
	for _, ctx := range []string{kept, owned} {
		c.Must(t, "", "Target.createTarget", M{"url": "about:blank", "browserContextId": ctx})
	}
	s.Drop()
	<-c.Done()
	if pages := s.Pages(); len(pages) != 1 || pages[0].ContextID() != kept {
		t.Errorf("%d pages after the drop", len(pages))
	}
}

func TestInitScriptsCountFromTheirArrival(t *testing.T) {
	t.Parallel()
	s := cdptest.New(t, cdptest.Options{})
	tab, page := pageOn(t, s)
	tab.Do(t, "Page.addScriptToEvaluateOnNewDocument", M{"source": "one"})
	if got := page.Top().Injected(); got != nil {
		t.Errorf("injected into the document that was there: %q", got)
	}
	tab.Navigate(t, "http://a.test/")
	tab.Do(t, "Page.addScriptToEvaluateOnNewDocument", M{"source": "two", "runImmediately": true})
	if got := page.Top().Injected(); !slices.Equal(got, []string{"one", "two"}) {
		t.Errorf("injected: %q", got)
	}
}

func TestPageActions(t *testing.T) {
	t.Parallel()
	s := cdptest.New(t, cdptest.Options{})
	tab, page := pageOn(t, s)
	mark := tab.Mark()
	page.Top().Console("error", "bad")
	tab.MustWait(t, mark, cdptest.Is("Runtime.consoleAPICalled", "type", "error", "args.0.value", "bad"))
	page.Top().Throw("TypeError: no")
	tab.MustWait(t, mark, cdptest.Is("Runtime.exceptionThrown", "exceptionDetails.exception.description", "TypeError: no"))
	child := page.Top().Attach("http://b.test/")
	tab.MustWait(t, mark, cdptest.Is("Page.frameAttached", "frameId", child.ID()))
	if !child.OOPIF() {
		t.Error("a cross-site frame is no OOPIF")
	}
	d := child.OpenDialog("prompt", "name?", "preset")
	tab.MustWait(t, mark, cdptest.Is("Page.javascriptDialogOpening", "frameId", child.ID(), "defaultPrompt", "preset"))
	d.Close(true, "remote")
	<-d.Done()
	if !d.Accepted || d.Text != "remote" {
		t.Errorf("dialog: %v %q", d.Accepted, d.Text)
	}
	child.Detach()
	tab.MustWait(t, mark, cdptest.Is("Page.frameDetached", "frameId", child.ID(), "reason", "remove"))
	page.Crash()
	tab.MustWait(t, mark, cdptest.Is("Inspector.targetCrashed"))
	page.Destroy()
	tab.MustWait(t, mark, cdptest.Is("Target.detachedFromTarget", "sessionId", tab.SessionID))
	if s.Page(page.TargetID()) != nil {
		t.Error("the page is still there")
	}
}

func TestFlood(t *testing.T) {
	t.Parallel()
	s := cdptest.New(t, cdptest.Options{})
	tab, page := pageOn(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	sent := make(chan int, 1)
	go func() { sent <- page.Flood(ctx, 20000, 850) }()
	mark := tab.Mark()
	e := tab.MustWait(t, mark, cdptest.Is("Runtime.consoleAPICalled"))
	// The event is everything but the frame of method and session around the params.
	if wire := len(`{"method":"","params":,"sessionId":""}`) + len(e.Method) + len(e.SessionID) + len(e.Params); wire != 850 {
		t.Errorf("an event of the flood is %d bytes", wire)
	}
	page.OpenDialog("alert", "in the flood", "")
	if err := s.Flush(t.Context()); err != nil {
		t.Error(err)
	}
	tab.MustWait(t, mark, cdptest.Is("Page.javascriptDialogOpening"))
	cancel()
	if n := <-sent; n == 0 {
		t.Error("nothing sent")
	}
}

func TestStopReading(t *testing.T) {
	t.Parallel()
	s := cdptest.New(t, cdptest.Options{})
	tab, page := pageOn(t, s)
	s.StopReading()
	mark := tab.Mark()
	call := tab.Begin("Runtime.evaluate", M{"expression": "1"})
	page.Top().Console("log", "still sending")
	tab.MustWait(t, mark, cdptest.Is("Runtime.consoleAPICalled"))
	select {
	case a := <-call:
		t.Errorf("answered: %+v", a)
	default:
	}
	s.StartReading()
	<-call
}

func TestBigReply(t *testing.T) {
	t.Parallel()
	s := cdptest.New(t, cdptest.Options{})
	const size = 8 << 20
	s.Handle("Browser.getVersion", func(*cdptest.Request) cdptest.Reply {
		return cdptest.Result(json.RawMessage(`{"data":"` + strings.Repeat("x", size) + `"}`))
	})
	c := cdptest.Dial(t, s.URL())
	if got := len(cdptest.Field(c.Must(t, "", "Browser.getVersion", nil), "data")); got != size {
		t.Errorf("%d bytes", got)
	}
}

func TestBadJSON(t *testing.T) {
	t.Parallel()
	s := cdptest.New(t, cdptest.Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	ws, _, err := websocket.Dial(ctx, s.URL(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = ws.CloseNow() }()
	if err := ws.Write(ctx, websocket.MessageText, []byte("{")); err != nil {
		t.Fatal(err)
	}
	_, data, err := ws.Read(ctx)
	if err != nil || cdptest.Field(data, "error.code") != "-32700" || cdptest.Field(data, "id") != "" {
		t.Errorf("answer: %s, %v", data, err)
	}
}
