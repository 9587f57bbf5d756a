package supervisor_test

import (
	"context"
	"regexp"
	"testing"

	"cdphost/host/cdp"
	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/supervisor"
)

// slowBridge takes each request that it claims for a confirm, once told to.
type slowBridge struct{ recognise chan struct{} }

func (slowBridge) Name() string { return "slow" }

func (slowBridge) Setup() (supervisor.BridgeSetup, error) {
	return supervisor.BridgeSetup{
		InitScripts:   []supervisor.InitScript{{Source: "token {{token}}"}},
		FetchPatterns: []supervisor.FetchPattern{{URLPattern: "https://asked.invalid/*"}},
		Claims:        []supervisor.Claim{{Method: "Fetch.requestPaused", URLPrefix: "https://asked.invalid/"}},
	}, nil
}

func (b slowBridge) Recognise(ctx context.Context, _ supervisor.BridgeEvent) (*supervisor.BridgedDialog, error) {
	select {
	case <-b.recognise:
		return &supervisor.BridgedDialog{Type: dialog.Confirm, Message: "asked"}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (slowBridge) Answer(context.Context, supervisor.BridgeAnswer) ([]cdp.Command, error) {
	return nil, nil
}

var tokenOf = regexp.MustCompile(`token (\w+)`)

// TestRequestHeardBeforeItsDocument: the browser tells of a paused request on another
// way than a renderer of its document, so either may come first. Which document a
// request belongs to the browser knows.
func TestRequestHeardBeforeItsDocument(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		reply string // to Fetch.getResponseBody
		held  bool   // the dialog is open when the document is told
		lives bool
	}{
		{"of the new document, not judged yet", "Can only get response body on HeadersReceived pattern matched requests.", false, true},
		{"of the new document, held", "Can only get response body on HeadersReceived pattern matched requests.", true, true},
		{"of the old document, held", "Invalid InterceptionId.", true, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			m := cdptest.New(t, cdptest.Options{})
			m.FailNth("Fetch.getResponseBody", 0, &cdptest.Error{Code: -32000, Message: tc.reply})
			b := slowBridge{make(chan struct{})}
			s := taskOn(t, ownRegistry(t, quick(t)), m.URL(), supervisor.Settings{Bridge: b})
			p, page := newPage(t, m, s)
			script := m.MustReceive(t, "Page.addScriptToEvaluateOnNewDocument", 1)[0]
			token := tokenOf.FindSubmatch(script.Params)[1]
			if tc.held {
				close(b.recognise)
			}
			page.Emit("Fetch.requestPaused", cdptest.M{
				"requestId": "r-1", "frameId": p.TargetID, "resourceType": "XHR",
				"request": cdptest.M{"url": "https://asked.invalid/" + string(token), "method": "POST"},
			})
			if tc.held {
				pending(t, s, dialog.Confirm)
			}
			page.Emit("Page.frameNavigated", cdptest.M{"type": "Navigation", "frame": cdptest.M{
				"id": p.TargetID, "loaderId": "L2", "url": "http://a.test/", "securityOrigin": "http://a.test", "mimeType": "text/html",
			}})
			m.MustReceive(t, "Fetch.getResponseBody", 1)
			call(t, s, "", "Browser.getVersion", cdptest.M{}) // what was answered before has been read
			if !tc.held {
				close(b.recognise)
			}
			if tc.lives {
				pending(t, s, dialog.Confirm)
				return
			}
			until(t, s, "the dialog to be over", func(snap *supervisor.Snapshot) bool { return len(snap.Pending) == 0 })
			if recent := s.Snapshot().Recent; len(recent) != 1 || recent[0].Reason != dialog.ReasonNavigation {
				t.Errorf("recent = %+v", recent)
			}
		})
	}
}
