package capture_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"cdphost/host/capture"
	"cdphost/host/cdp/cdptest"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// away takes the page, or its first frame, to another document, and returns when
// the host has read that.
func (h *host) away(t *testing.T, frame bool, url string) {
	t.Helper()
	expression := fmt.Sprintf("location.href = %q", url)
	if frame {
		expression = fmt.Sprintf("document.querySelector('iframe').src = %q", url)
	}
	mustCall(t, h.capture(t, capture.Holder{Name: "mover", Trusted: true}), "Runtime.evaluate", M{"expression": expression}, capture.OnSession(h.page.SessionID))
	h.until(t, "the other document", func(s *supervisor.Snapshot) bool {
		p, ok := s.Page(h.page.TabID)
		if !ok || !frame {
			return ok && p.URL == url
		}
		for f := range p.Frames.Frames() {
			if f.URL == url {
				return true
			}
		}
		return false
	})
}

// The page navigates between the verdict and the write: the command that was
// approved for the old document does not run in the new one.
func TestStaleCommandIsNotSentAfterANavigation(t *testing.T) {
	t.Parallel()
	s := site(t)
	h := onChrome(t)
	h.load(t, s.URL("a.test", "/"))
	page := capture.OnSession(h.page.SessionID)
	var seen []capture.Facts
	handle := h.capture(t, trusted)
	_, err := handle.Call(bound(t), "Runtime.evaluate", M{"expression": "document.title = 'stale'"}, page,
		capture.WithBeforeSend(func(_ capture.Command, f capture.Facts) error {
			seen = append(seen, f)
			if len(seen) == 1 {
				h.away(t, false, s.URL("b.test", "/next"))
				return nil
			}
			return fault.New(fault.Denied, "not on %s", f.Origin)
		}))
	wantCode(t, err, fault.Denied)
	if len(seen) != 2 || seen[0].Origin == seen[1].Origin || seen[1].URL != s.URL("b.test", "/next") || seen[0].LoaderID == seen[1].LoaderID {
		t.Errorf("facts = %+v", seen)
	}
	raw := mustCall(t, handle, "Runtime.evaluate", M{"expression": "document.title == 'stale'"}, page)
	if got := cdptest.Field(raw, "result.value"); got != "false" {
		t.Error("the stale command ran in the new document")
	}
}

func TestStaleCommandIsNotSentAfterAFramesNavigation(t *testing.T) {
	t.Parallel()
	s := site(t)
	h := onChrome(t)
	h.load(t, s.URL("a.test", "/framed"))
	var session string
	h.until(t, "the frame's session", func(snap *supervisor.Snapshot) bool {
		p, _ := snap.Page(h.page.TabID)
		for f := range p.Frames.Frames() {
			if f.URL == s.URL("b.test", "/") && f.SessionID != "" && f.LoaderID != "" && f.DefaultContext != "" {
				session = f.SessionID
			}
		}
		return session != ""
	})
	asked := 0
	_, err := h.capture(t, trusted).Call(bound(t), "Runtime.evaluate", M{"expression": "document.title = 'stale'"}, capture.OnSession(session),
		capture.WithBeforeSend(func(_ capture.Command, f capture.Facts) error {
			asked++
			if f.URL != s.URL("b.test", "/") && asked == 1 || f.TargetID == h.page.TargetID {
				t.Errorf("facts = %+v", f)
			}
			if asked > 1 {
				return fault.New(fault.Denied, "it has moved")
			}
			h.away(t, true, s.URL("c.test", "/next"))
			return nil
		}))
	wantCode(t, err, fault.Denied)
	if asked != 2 {
		t.Errorf("asked %d times", asked)
	}
}

// What Chrome has done and not yet told: the command leaves with the old
// document's context, and Chrome itself refuses it.
func TestValidatedScriptIsTiedToItsDocument(t *testing.T) {
	t.Parallel()
	s := site(t)
	h := onChrome(t)
	h.load(t, s.URL("a.test", "/"))
	page := capture.OnSession(h.page.SessionID)
	handle := h.capture(t, trusted)
	// Chrome reads the navigation first, and the script behind it.
	moved := make(chan error, 1)
	asks := 0
	raw, err := handle.Call(bound(t), "Runtime.evaluate", M{"expression": "location.pathname"}, page,
		capture.WithBeforeSend(func(c capture.Command, f capture.Facts) error {
			asks++
			if cdptest.Field(c.Params, "uniqueContextId") == "" {
				t.Errorf("params = %s: tied to no document", c.Params)
			}
			if asks == 1 {
				go func() {
					_, err := handle.Call(context.Background(), "Page.navigate", M{"url": s.URL("a.test", "/next")}, page)
					moved <- err
				}()
				if err := <-moved; err != nil { // committed: the host may not have read it
					t.Error(err)
				}
			}
			return nil
		}))
	if err != nil {
		t.Fatal(err)
	}
	if got := cdptest.Field(raw, "result.value"); asks < 2 || got != "/next" {
		t.Errorf("after %d asks it ran in %s", asks, got)
	}
	// Also unseen by the host: its own check is switched off here.
	asks = 0
	_, err = handle.Call(bound(t), "Runtime.evaluate", M{"expression": "1"}, page,
		capture.WithBeforeSend(func(c capture.Command, _ capture.Facts) error {
			if asks++; asks > 1 {
				return fault.New(fault.Denied, "asked again")
			}
			h.away(t, false, s.URL("c.test", "/next"))
			return nil
		}, capture.FieldEpoch))
	wantCode(t, err, fault.Denied)
}

func TestCallersOwnContextStands(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	for _, params := range []string{`{"expression":"1","contextId":1}`, `{"expression":"1","uniqueContextId":"u"}`} {
		_, _ = h.capture(t, trusted).Call(bound(t), "Runtime.evaluate", json.RawMessage(params), capture.OnSession(h.page.SessionID),
			capture.WithBeforeSend(func(c capture.Command, _ capture.Facts) error {
				if string(c.Params) != params {
					t.Errorf("params = %s, want %s", c.Params, params)
				}
				return nil
			}))
	}
}
