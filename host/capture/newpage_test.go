package capture_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"cdphost/host/capture"
	"cdphost/host/cdp"
	"cdphost/host/cdp/cdptest"
	"cdphost/host/link"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

const elsewhere = "http://elsewhere.test/"

// created is what a Target.createTarget came to.
type created struct {
	raw json.RawMessage
	err error
}

// create makes a page with a url, without waiting for it.
func create(ctx context.Context, handle *capture.Handle, params M) <-chan created {
	got := make(chan created, 1)
	go func() {
		raw, err := handle.Call(ctx, "Target.createTarget", params)
		got <- created{raw, err}
	}()
	return got
}

// marked has every new page of the task run a script before its own.
func (h *host) marked() {
	h.sup.Configure(supervisor.Settings{Toolset: "browser", Setup: func(t link.Target) []cdp.Command {
		return []cdp.Command{{
			SessionID: t.SessionID, Method: "Page.addScriptToEvaluateOnNewDocument", Params: cdp.Marshal(M{"source": "self.marked = 1"}),
		}}
	}})
}

func TestANewPageIsSetUpBeforeItGoesToItsURL(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	h.marked()
	setUp := held(h, "Page.addScriptToEvaluateOnNewDocument")
	h.mock.ForgetSent()
	got := create(bound(t), h.capture(t, trusted), M{"url": elsewhere, "background": true})
	r := <-setUp
	h.settled(t)
	if n := h.count("Page.navigate"); n != 0 {
		t.Error("the page was sent on before its set-up was acknowledged")
	}
	r.Answer(cdptest.Result(M{"identifier": "1"}))
	c := <-got
	if c.err != nil {
		t.Fatal(c.err)
	}
	id := cdptest.Field(c.raw, "targetId")
	if n := h.count("Target.createTarget", "url", "about:blank", "background", "true"); n != 1 || h.count("Target.createTarget", "url", elsewhere) != 0 {
		t.Errorf("the page was made %d times as it should be", n)
	}
	sent := h.mock.Sent("Page.navigate")
	if len(sent) != 1 || sent[0].Get("url") != elsewhere || !slices.Contains(h.mock.Page(id).Sessions(), sent[0].SessionID) {
		t.Errorf("sent were %v", sent)
	}
	h.until(t, "the page to be there", func(s *supervisor.Snapshot) bool {
		p, ok := s.PageByTarget(id)
		return ok && p.URL == elsewhere
	})
}

func TestANewPageIsToldWhenItsNavigationHasBegun(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	came := held(h, "Page.navigate")
	got := create(bound(t), h.capture(t, trusted), M{"url": elsewhere})
	r := <-came
	for _, p := range h.mock.Pages() {
		if slices.Contains(p.Sessions(), r.SessionID) {
			p.Emit("Page.frameStartedNavigating", M{"frameId": p.TargetID(), "url": elsewhere, "loaderId": "L", "navigationType": "differentDocument"})
		}
	}
	if c := <-got; c.err != nil || cdptest.Field(c.raw, "targetId") == "" {
		t.Errorf("got %s, %v", c.raw, c.err)
	}
	r.Answer(cdptest.Result(M{"frameId": "F", "loaderId": "L"})) // which nobody waits for
	h.settled(t)
	if n := h.count("Target.closeTarget"); n != 0 {
		t.Error("the page was closed")
	}
}

func TestANewPageWithoutAURLIsNotSentAnywhere(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	handle := h.capture(t, trusted)
	for _, url := range []string{"", "about:blank"} {
		mustCall(t, handle, "Target.createTarget", M{"url": url})
		if n := h.count("Target.createTarget", "url", url); n == 0 {
			t.Errorf("the url %q was changed", url)
		}
	}
	h.settled(t)
	if n := h.count("Page.navigate"); n != 0 {
		t.Error("it was sent somewhere")
	}
}

// guardOn refuses a method.
type guardOn string

func (guardOn) Name() string             { return "strict" }
func (guardOn) Compare() []capture.Field { return nil }
func (guardOn) Validate(context.Context, capture.GuardRequest) (json.RawMessage, error) {
	return nil, fault.New(fault.Denied, "not there")
}

func TestAPageThatCanNotGoToItsURLIsClosed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		arrange func(*testing.T, *host)
		code    fault.Code
		text    string
	}{
		"the browser refuses": {func(_ *testing.T, h *host) {
			h.mock.Handle("Page.navigate", func(*cdptest.Request) cdptest.Reply { return cdptest.Refuse(-32000, "Cannot navigate to invalid URL") })
		}, fault.CDPError, "Target.createTarget: Cannot navigate to invalid URL"},
		"a guard refuses": {func(_ *testing.T, h *host) {
			h.captures.SetGuards(func(method string) []capture.Guard {
				if method != "Page.navigate" {
					return nil
				}
				return []capture.Guard{guardOn(method)}
			})
		}, fault.Denied, "not there"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := onMock(t)
			c.arrange(t, h)
			handle := h.capture(t, trusted)
			_, err := handle.Call(bound(t), "Target.createTarget", M{"url": elsewhere})
			if f := wantCode(t, err, c.code); f.Message != c.text {
				t.Errorf("got %q, want %q", f.Message, c.text)
			}
			h.arrived(t, "Target.closeTarget")
			handle.Release()
			h.settled(t)
			if n := h.count("Target.closeTarget"); n != 1 {
				t.Errorf("it was closed %d times", n)
			}
		})
	}
}

func TestANewPageWhoseCallerGoesIsClosed(t *testing.T) {
	t.Parallel()
	for how, end := range map[string]func(*capture.Handle, context.CancelFunc){
		"given up": func(_ *capture.Handle, cancel context.CancelFunc) { cancel() },
		"released": func(handle *capture.Handle, _ context.CancelFunc) { handle.Release() },
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			h := onMock(t)
			h.marked()
			setUp := held(h, "Page.addScriptToEvaluateOnNewDocument")
			handle := h.capture(t, trusted)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			got := create(ctx, handle, M{"url": elsewhere})
			<-setUp
			end(handle, cancel)
			err := (<-got).err
			if want := map[string]fault.Code{"given up": fault.Timeout, "released": fault.CaptureInvalid}[how]; !errors.Is(err, want) {
				t.Errorf("got %v, want %s", err, want)
			}
			h.arrived(t, "Target.closeTarget")
			h.settled(t)
			if n := h.count("Target.closeTarget"); n != 1 || h.count("Page.navigate") != 0 {
				t.Errorf("it was closed %d times, and sent on %d times", n, h.count("Page.navigate"))
			}
		})
	}
}

func TestNewPagesMissNoInitScript(t *testing.T) {
	t.Parallel()
	s := site(t)
	h := onChrome(t)
	h.marked()
	handle := h.capture(t, trusted)
	const pages = 20
	for i := range pages {
		url := s.URL("a.test", "/next")
		id := cdptest.Field(mustCall(t, handle, "Target.createTarget", M{"url": url}), "targetId")
		p, _ := h.until(t, "the page to load", func(s *supervisor.Snapshot) bool {
			p, ok := s.PageByTarget(id)
			return ok && p.URL == url && p.LoaderID != "" && p.LoadedLoader == p.LoaderID
		}).PageByTarget(id)
		raw := mustCall(t, handle, "Runtime.evaluate", M{"expression": "self.marked"}, capture.OnSession(p.SessionID))
		if cdptest.Field(raw, "result.value") != "1" {
			t.Fatalf("page %d missed the init script", i)
		}
		mustCall(t, handle, "Target.closeTarget", M{"targetId": id})
	}
}
