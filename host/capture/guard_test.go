package capture_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
	"testing"

	"cdphost/host/capture"
	"cdphost/host/cdp/cdptest"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// fakeGuard validates with a function.
type fakeGuard struct {
	name    string
	compare []capture.Field
	judge   func(context.Context, capture.GuardRequest) (json.RawMessage, error)
}

func (g fakeGuard) Name() string             { return g.name }
func (g fakeGuard) Compare() []capture.Field { return g.compare }

func (g fakeGuard) Validate(ctx context.Context, req capture.GuardRequest) (json.RawMessage, error) {
	return g.judge(ctx, req)
}

// guarded has guards judge one method.
func (h *host) guarded(method string, guards ...capture.Guard) {
	h.captures.SetGuards(func(m string) []capture.Guard {
		if m == method {
			return guards
		}
		return nil
	})
}

func TestGuardsAreAskedInOrderAndBeforeSendSeesTheFinalBytes(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	rewrite := func(want, to string) func(context.Context, capture.GuardRequest) (json.RawMessage, error) {
		return func(_ context.Context, req capture.GuardRequest) (json.RawMessage, error) {
			if got := cdptest.Field(req.Command.Params, "text"); got != want {
				t.Errorf("a guard saw %q, want %q", got, want)
			}
			if req.Sender != "tool" || req.Task != h.key || req.Facts.TargetID != h.page.TargetID || req.Command.SessionID != h.page.SessionID {
				t.Errorf("request = %+v", req)
			}
			return json.RawMessage(to), nil
		}
	}
	h.guarded("Input.insertText",
		fakeGuard{name: "first", judge: rewrite("a", `{"text":"b"}`)},
		fakeGuard{name: "second", judge: rewrite("b", ` {"text": "c"} `)},
		fakeGuard{name: "third", judge: rewrite("c", ``)},
	)
	var records []capture.Record
	h.captures.Observe(func(r capture.Record) { records = append(records, r) })
	var final string
	mustCall(t, h.capture(t, trusted), "Input.insertText", M{"text": "a"}, capture.OnSession(h.page.SessionID),
		capture.WithBeforeSend(func(c capture.Command, f capture.Facts) error {
			final = string(c.Params)
			if f.SessionID != h.page.SessionID || f.FrameID == "" || f.Epoch == 0 || f.LoaderID == "" {
				t.Errorf("facts = %+v", f)
			}
			return nil
		}))
	if got := string(h.mock.Sent("Input.insertText")[0].Params); got != final || final != `{"text": "c"}` {
		t.Errorf("before_send saw %s, the browser got %s", final, got)
	}
	if len(records) != 1 || len(records[0].Guards) != 3 || records[0].Err != nil || string(records[0].Command.Params) != final {
		t.Errorf("records = %+v", records)
	}
}

func TestRefusalsComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	handle := h.capture(t, trusted)
	page := capture.OnSession(h.page.SessionID)
	no := errors.New("no, thank you")
	h.guarded("Input.insertText", fakeGuard{name: "strict", judge: func(_ context.Context, r capture.GuardRequest) (json.RawMessage, error) {
		return nil, fault.New(fault.Denied, "guard strict refused %s: not on Sundays", r.Command.Method)
	}})
	_, err := handle.Call(bound(t), "Input.insertText", M{"text": "x"}, page, capture.WithBeforeSend(func(capture.Command, capture.Facts) error {
		t.Error("before_send was asked about a command that a guard had refused")
		return nil
	}))
	if f := wantCode(t, err, fault.Denied); f.Message != "guard strict refused Input.insertText: not on Sundays" {
		t.Errorf("message = %q", f.Message)
	}
	_, err = handle.Call(bound(t), "Page.stopLoading", nil, page, capture.WithBeforeSend(func(capture.Command, capture.Facts) error { return no }))
	if err != no { //nolint:errorlint // it must be the same
		t.Errorf("before_send's error came back as %v", err)
	}
	h.settled(t)
	if n := len(h.mock.Sent("Input.insertText")) + len(h.mock.Sent("Page.stopLoading")); n != 0 {
		t.Errorf("%d commands arrived", n)
	}
}

func TestARewriteIsCheckedLikeTheCallersOwn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		method  string
		rewrite string
		code    fault.Code
	}{
		"another's target": {"Target.activateTarget", `{"targetId":"FOREIGN"}`, fault.NotYours},
		"a local file":     {"Page.navigate", `{"url":"file:///etc/passwd"}`, fault.SchemeBlocked},
		"a second session": {"Page.navigate", `{"url":"http://a.test/"},"sessionId":"X","x":{}`, fault.InvalidArgument},
		"no object":        {"Page.navigate", `[1]`, fault.InvalidArgument},
		"no JSON":          {"Page.navigate", `{"url"`, fault.InvalidArgument},
		"a name twice":     {"Page.navigate", `{"url":"http://a.test/","url":"file:///"}`, fault.InvalidArgument},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := onMock(t)
			h.guarded(c.method, fakeGuard{name: "rewriter", judge: func(context.Context, capture.GuardRequest) (json.RawMessage, error) {
				return json.RawMessage(c.rewrite), nil
			}})
			_, err := h.capture(t, trusted).Call(bound(t), c.method, M{"url": "http://a.test/", "targetId": h.page.TargetID}, capture.OnSession(h.page.SessionID))
			wantCode(t, err, c.code)
			h.settled(t)
			if n := len(h.mock.Sent(c.method)); n != 0 {
				t.Errorf("%s arrived", c.method)
			}
		})
	}
}

// moving takes the page to a new document from within a validator.
func (h *host) moving(t *testing.T, url string) {
	t.Helper()
	p, _ := h.sup.Snapshot().Page(h.page.TabID)
	h.mock.Page(h.page.TargetID).Navigate(url)
	h.until(t, "the page to move", func(s *supervisor.Snapshot) bool {
		q, ok := s.Page(h.page.TabID)
		return ok && q.LoaderID != p.LoaderID
	})
}

func TestChangedFactsAreAskedAgain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		changes int // how many of the asks see the page move
		asks    int
		code    fault.Code
	}{
		"once":   {1, 2, ""},
		"twice":  {2, 3, ""},
		"always": {100, 3, fault.FactsChanged},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := onMock(t)
			asks, last := 0, capture.Facts{}
			_, err := h.capture(t, trusted).Call(bound(t), "Input.insertText", M{"text": "x"}, capture.OnSession(h.page.SessionID),
				capture.WithBeforeSend(func(_ capture.Command, f capture.Facts) error {
					asks++
					last = f
					if asks <= c.changes {
						h.moving(t, "http://a.test/"+string(rune('a'+asks)))
					}
					return nil
				}))
			if fault.CodeOf(err) != c.code && err != nil || err == nil && c.code != "" {
				t.Errorf("error = %v, want %s", err, c.code)
			}
			if asks != c.asks {
				t.Errorf("asked %d times, want %d", asks, c.asks)
			}
			h.settled(t)
			sent := len(h.mock.Sent("Input.insertText"))
			if c.code == "" {
				p, _ := h.sup.Snapshot().Page(h.page.TabID)
				if sent != 1 || last.LoaderID != p.LoaderID {
					t.Errorf("sent %d times for the document %s, which is %s", sent, last.LoaderID, p.LoaderID)
				}
			} else if sent != 0 {
				t.Error("a stale command arrived")
			}
		})
	}
}

func TestOnlyDeclaredFieldsAreCompared(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		compare []capture.Field
		change  func(*testing.T, *host)
		asks    int
	}{
		"another document, not asked for": {[]capture.Field{capture.FieldOrigin}, func(t *testing.T, h *host) { h.moving(t, "http://a.test/next") }, 1},
		"another document":                {[]capture.Field{capture.FieldLoader}, func(t *testing.T, h *host) { h.moving(t, "http://a.test/next") }, 2},
		"another origin":                  {[]capture.Field{capture.FieldOrigin}, func(t *testing.T, h *host) { h.moving(t, "http://b.test/") }, 2},
		"the fragment, by default":        {nil, func(t *testing.T, h *host) { h.fragment(t) }, 1},
		"the fragment":                    {[]capture.Field{capture.FieldURL}, func(t *testing.T, h *host) { h.fragment(t) }, 2},
		"a dialog, by default":            {nil, func(t *testing.T, h *host) { h.dialog(t) }, 2},
		"a dialog, not asked for":         {[]capture.Field{capture.FieldEpoch}, func(t *testing.T, h *host) { h.dialog(t) }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := onMock(t)
			h.load(t, "http://a.test/")
			var asks atomic.Int32
			h.guarded("Page.stopLoading", fakeGuard{name: "g", compare: c.compare, judge: func(context.Context, capture.GuardRequest) (json.RawMessage, error) {
				if asks.Add(1) == 1 {
					c.change(t, h)
				}
				return nil, nil
			}})
			mustCall(t, h.capture(t, trusted), "Page.stopLoading", nil, capture.OnSession(h.page.SessionID))
			if n := int(asks.Load()); n != c.asks {
				t.Errorf("asked %d times, want %d", n, c.asks)
			}
		})
	}
}

func (h *host) fragment(t *testing.T) {
	t.Helper()
	h.mock.Page(h.page.TargetID).Navigate("http://a.test/#part")
	h.until(t, "the fragment", func(s *supervisor.Snapshot) bool {
		p, ok := s.Page(h.page.TabID)
		return ok && p.URL == "http://a.test/#part"
	})
}

func (h *host) dialog(t *testing.T) {
	t.Helper()
	h.mock.Page(h.page.TargetID).OpenDialog("alert", "hello", "")
	h.until(t, "the dialog", func(s *supervisor.Snapshot) bool { return len(s.Pending) == 1 })
}

func TestHandleThatEndsWhileAskedIsNotUsed(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	handle := h.capture(t, trusted)
	_, err := handle.Call(bound(t), "Page.stopLoading", nil, capture.OnSession(h.page.SessionID),
		capture.WithBeforeSend(func(capture.Command, capture.Facts) error {
			h.mock.Drop()
			h.reconnected(t, handle.Epoch())
			return nil
		}))
	wantCode(t, err, fault.CaptureInvalid)
	h.settled(t)
	if n := len(h.mock.Sent("Page.stopLoading")); n != 0 {
		t.Error("the stale command arrived")
	}
}

func TestAValidatorMustNotCallCDP(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	handle := h.capture(t, trusted)
	var inner error
	h.guarded("Page.stopLoading", fakeGuard{name: "caller", judge: func(ctx context.Context, _ capture.GuardRequest) (json.RawMessage, error) {
		_, inner = handle.Call(ctx, "Runtime.evaluate", M{"expression": "'inner'"}, capture.OnSession(h.page.SessionID))
		return nil, nil
	}})
	mustCall(t, handle, "Page.stopLoading", nil, capture.OnSession(h.page.SessionID))
	wantCode(t, inner, fault.Denied)
	if n := h.count("Runtime.evaluate", "expression", "'inner'"); n != 0 {
		t.Error("it was sent")
	}
}

// Nothing is held while a validator is asked: calls, events, captures and
// releases go on.
func TestASlowValidatorDelaysNobodyElse(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	asked, verdict := make(chan struct{}, 8), make(chan struct{})
	h.guarded("Page.stopLoading", fakeGuard{name: "slow", judge: func(context.Context, capture.GuardRequest) (json.RawMessage, error) {
		asked <- struct{}{}
		<-verdict
		return nil, nil
	}})
	handle := h.capture(t, trusted)
	page := capture.OnSession(h.page.SessionID)
	done := make(chan error, 1)
	go func() {
		_, err := handle.Call(context.Background(), "Page.stopLoading", nil, page)
		done <- err
	}()
	<-asked
	mustCall(t, handle, "Runtime.evaluate", M{"expression": "1"}, page)
	other := h.capture(t, trusted)
	mustCall(t, other, "Network.enable", nil, page)
	mustCall(t, other, "Page.bringToFront", nil, page, capture.WithBeforeSend(func(capture.Command, capture.Facts) error { return nil }))
	other.Release()
	h.dialog(t) // an event is read and published
	if len(h.mock.Sent("Page.stopLoading")) != 0 {
		t.Error("it was sent before the verdict")
	}
	close(verdict)
	if err := <-done; err != nil {
		t.Error(err)
	}
}
