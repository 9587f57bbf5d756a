package capture_test

import (
	"context"
	"errors"
	"testing"

	"cdphost/host/capture"
	"cdphost/host/cdp"
	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

func TestHandleJavaScriptDialogIsRecordedAsTheHoldersAnswer(t *testing.T) {
	t.Parallel()
	s := site(t)
	for name, c := range map[string]struct {
		holder capture.Holder
		by     dialog.ClosedBy
		params M
		want   string
	}{
		"an agent with text":    {capture.Holder{Name: "agent", Trusted: true, KeepsWhatItMakes: true}, dialog.Agent, M{"accept": true, "promptText": "hi"}, "hi"},
		"an agent without text": {capture.Holder{Name: "agent", Trusted: true, KeepsWhatItMakes: true}, dialog.Agent, M{"accept": true}, ""},
		"a plugin dismisses":    {capture.Holder{Name: "helper", Trusted: true}, dialog.AutoPolicy, M{"accept": false}, "null"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := onChrome(t)
			h.load(t, s.URL("a.test", "/"))
			page := capture.OnSession(h.page.SessionID)
			handle := h.capture(t, c.holder)
			_, err := handle.Call(bound(t), "Page.handleJavaScriptDialog", c.params, page)
			wantCode(t, err, fault.CDPError)
			var answer *cdp.Error
			if !errors.As(err, &answer) || answer.Code != -32602 || answer.Message != "No dialog is showing" {
				t.Errorf("without a dialog: %v", err)
			}
			said := make(chan string, 1)
			go func() {
				raw, err := handle.Call(context.Background(), "Runtime.evaluate", M{"expression": `prompt("name", "default")`, "returnByValue": true}, page)
				if err != nil {
					t.Error(err)
				}
				said <- cdptest.Field(raw, "result.value")
			}()
			h.until(t, "the dialog", func(s *supervisor.Snapshot) bool { return len(s.Pending) == 1 })
			mustCall(t, handle, "Page.handleJavaScriptDialog", c.params, page)
			if got := <-said; got != c.want {
				t.Errorf("prompt() = %q, want %q", got, c.want)
			}
			recent := h.sup.Snapshot().Recent
			if len(recent) != 1 || recent[0].ClosedBy != c.by {
				t.Errorf("recent = %+v", recent)
			}
		})
	}
}

// Closing a page while a dialog of its iframe's own process is open takes Chrome
// down, whoever asks for it and by whichever id.
func TestClosingAPageWithAFramesDialogLeavesTheBrowserAlive(t *testing.T) {
	t.Parallel()
	s := site(t)
	for name, how := range map[string]func(*testing.T, *host, *capture.Handle, string){
		"its target": func(t *testing.T, h *host, handle *capture.Handle, _ string) {
			t.Helper()
			mustCall(t, handle, "Target.closeTarget", M{"targetId": h.page.TargetID})
		},
		"the frame's target": func(t *testing.T, h *host, handle *capture.Handle, frame string) {
			t.Helper()
			_, _ = handle.Call(bound(t), "Target.closeTarget", M{"targetId": frame})
		},
		"Page.close": func(t *testing.T, h *host, handle *capture.Handle, _ string) {
			t.Helper()
			_, _ = handle.Call(bound(t), "Page.close", nil, capture.OnSession(h.page.SessionID))
		},
		"undoing": func(_ *testing.T, _ *host, handle *capture.Handle, _ string) { handle.Release() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := onChrome(t)
			handle := h.capture(t, trusted)
			if name == "undoing" {
				id := cdptest.Field(mustCall(t, handle, "Target.createTarget", M{"url": "about:blank"}), "targetId")
				snap := h.until(t, "the page", func(s *supervisor.Snapshot) bool { p, ok := s.PageByTarget(id); return ok && p.Ready })
				h.page, _ = snap.PageByTarget(id)
			}
			h.load(t, s.URL("a.test", "/framed"))
			var session, frame string
			h.until(t, "the frame's session", func(snap *supervisor.Snapshot) bool {
				p, _ := snap.Page(h.page.TabID)
				for f := range p.Frames.Frames() {
					if f.SessionID != "" && !f.Top && f.LoaderID != "" {
						session, frame = f.SessionID, f.ID
					}
				}
				return session != ""
			})
			h.sup.Post(cdp.Command{SessionID: session, Method: "Runtime.evaluate", Params: cdp.Marshal(M{"expression": "alert(1)"})}, nil)
			h.until(t, "the dialog", func(s *supervisor.Snapshot) bool { return len(s.Pending) == 1 })
			how(t, h, handle, frame)
			h.until(t, "the dialog to be gone", func(s *supervisor.Snapshot) bool { return len(s.Pending) == 0 })
			if name != "the frame's target" {
				h.until(t, "the page to be gone", func(s *supervisor.Snapshot) bool { _, open := s.PageByTarget(h.page.TargetID); return !open })
			}
			h.settled(t)
			if epoch := h.sup.Snapshot().Epoch; epoch != handle.Epoch() {
				t.Errorf("the browser went down: epoch %d after %d", epoch, handle.Epoch())
			}
		})
	}
}
