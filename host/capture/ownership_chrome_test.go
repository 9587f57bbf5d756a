package capture_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"cdphost/host/capture"
	"cdphost/host/cdp/cdptest"
	"cdphost/sdk/fault"
)

func site(tb testing.TB) *cdptest.Pages {
	tb.Helper()
	return cdptest.Site(tb, cdptest.Hosts{"*": cdptest.Paths{
		"/": "<title>top</title><p>hello", "/next": "<title>next</title>", "/echo": "{}",
		"/framed": `<title>framed</title><iframe src="http://b.test:{{port}}/"></iframe>`,
	}})
}

// Two tasks on one browser: nothing that one of them sends, to the browser or to
// its own page, touches the other.
func TestTasksOnOneBrowserDoNotReachEachOther(t *testing.T) {
	t.Parallel()
	s := site(t)
	mine, theirs := onChrome(t), onChrome(t)
	theirs.load(t, s.URL("a.test", "/"))
	mine.load(t, s.URL("a.test", "/"))
	owner := theirs.capture(t, trusted)
	mustCall(t, owner, "Runtime.evaluate", M{"expression": `document.cookie = "secret=theirs"; self.mark = 1`}, capture.OnSession(theirs.page.SessionID))
	target, session, ctx := theirs.page.TargetID, theirs.page.SessionID, theirs.sup.ContextID()
	if ctx == "" || ctx == mine.sup.ContextID() {
		t.Fatalf("contexts %q and %q", ctx, mine.sup.ContextID())
	}
	handle := mine.capture(t, trusted)
	for _, c := range []struct {
		method string
		params M
		code   fault.Code
	}{
		{"Target.closeTarget", M{"targetId": target}, fault.NotYours},
		{"Target.activateTarget", M{"targetId": target}, fault.NotYours},
		{"Target.attachToTarget", M{"targetId": target, "flatten": true}, fault.NotYours},
		{"Target.getTargetInfo", M{"targetId": target}, fault.NotYours},
		{"Target.detachFromTarget", M{"sessionId": session}, fault.NotYours},
		{"Target.detachFromTarget", M{"targetId": target}, fault.NotYours},
		{"Target.detachFromTarget", M{"targetId": mine.page.TargetID}, fault.InvalidArgument},
		{"Target.detachFromTarget", M{"sessionId": mine.page.SessionID}, fault.NotYours},
		{"Target.sendMessageToTarget", M{"sessionId": session, "message": "{}"}, fault.NotYours},
		{"Target.createTarget", M{"url": "about:blank", "browserContextId": ctx}, fault.NotYours},
		{"Target.createBrowserContext", M{}, fault.NotYours},
		{"Target.disposeBrowserContext", M{"browserContextId": ctx}, fault.NotYours},
		{"Target.getBrowserContexts", M{}, fault.NotYours},
		{"Target.setAutoAttach", M{"autoAttach": false, "waitForDebuggerOnStart": false}, fault.NotYours},
		{"Target.autoAttachRelated", M{"targetId": target, "waitForDebuggerOnStart": false}, fault.NotYours},
		{"Target.setDiscoverTargets", M{"discover": false}, fault.NotYours},
		{"Target.attachToBrowserTarget", M{}, fault.NotYours},
		{"Target.exposeDevToolsProtocol", M{"targetId": mine.page.TargetID}, fault.NotYours},
		{"Target.setRemoteLocations", M{"locations": []any{}}, fault.NotYours},
		{"Storage.getCookies", M{"browserContextId": ctx}, fault.NotYours},
		{"Storage.clearCookies", M{"browserContextId": ctx}, fault.NotYours},
		{"Storage.setCookies", M{"cookies": []any{}, "browserContextId": ctx}, fault.NotYours},
		{"Browser.close", nil, fault.NotYours},
		{"Browser.crash", nil, fault.NotYours},
		{"Browser.crashGpuProcess", nil, fault.NotYours},
		{"Browser.executeBrowserCommand", M{"commandId": "openTabSearch"}, fault.NotYours},
		{"Browser.getBrowserCommandLine", nil, fault.NotYours},
		{"Browser.getHistograms", nil, fault.NotYours},
		{"Browser.setDownloadBehavior", M{"behavior": "deny", "browserContextId": ctx}, fault.NotYours},
		{"Browser.grantPermissions", M{"permissions": []string{"geolocation"}, "browserContextId": ctx}, fault.NotYours},
		{"Browser.getWindowForTarget", M{"targetId": target}, fault.NotYours},
		{"Browser.setWindowBounds", M{"windowId": theirs.window(t), "bounds": M{"width": 300}}, fault.NotYours},
		{"Browser.getWindowBounds", M{"windowId": theirs.window(t)}, fault.NotYours},
		{"Extensions.loadUnpacked", M{"path": "/tmp"}, fault.NotYours},
		{"Tethering.bind", M{"port": 1}, fault.NotYours},
	} {
		for where, id := range map[string]string{"browser": "", "page": mine.page.SessionID} {
			t.Run(fmt.Sprint(c.method, " ", where), func(t *testing.T) {
				_, err := handle.Call(bound(t), c.method, c.params, capture.OnSession(id))
				wantCode(t, err, c.code)
			})
		}
	}
	t.Run("the other's session", func(t *testing.T) {
		_, err := handle.Call(bound(t), "Runtime.evaluate", M{"expression": "1"}, capture.OnSession(session))
		wantCode(t, err, fault.SessionNotFound)
	})
	t.Run("browser level only", func(t *testing.T) {
		for _, method := range []string{"Tracing.start", "Memory.getDOMCounters", "IO.read", "Runtime.evaluate"} {
			_, err := handle.Call(bound(t), method, nil)
			wantCode(t, err, fault.NotYours)
		}
	})
	t.Run("one's own", func(t *testing.T) { ownThings(t, mine, handle, target) })
	raw := mustCall(t, owner, "Runtime.evaluate", M{"expression": "document.cookie + self.mark"}, capture.OnSession(session))
	if got := cdptest.Field(raw, "result.value"); got != "secret=theirs1" {
		t.Errorf("the other task's page says %q", got)
	}
}

// ownThings shows what a task may do with what is its own.
func ownThings(t *testing.T, h *host, handle *capture.Handle, foreign string) {
	t.Helper()
	for _, session := range []string{"", h.page.SessionID} {
		on := capture.OnSession(session)
		raw := mustCall(t, handle, "Target.getTargets", nil, on)
		if strings.Contains(string(raw), foreign) || !strings.Contains(string(raw), h.page.TargetID) {
			t.Errorf("targets = %s", raw)
		}
		mustCall(t, handle, "Storage.setCookies", M{"cookies": []M{{"name": "n", "value": "mine", "url": "http://own.test/"}}}, on)
		if raw := mustCall(t, handle, "Storage.getCookies", nil, on); !strings.Contains(string(raw), `"mine"`) || strings.Contains(string(raw), "theirs") {
			t.Errorf("cookies = %s", raw)
		}
		mustCall(t, handle, "Storage.clearCookies", nil, on)
		mustCall(t, handle, "Browser.grantPermissions", M{"permissions": []string{"geolocation"}}, on)
		mustCall(t, handle, "Browser.setWindowBounds", M{"windowId": h.window(t), "bounds": M{"width": 700, "height": 500}}, on)
		made := cdptest.Field(mustCall(t, handle, "Target.createTarget", M{"url": "about:blank"}, on), "targetId")
		info := mustCall(t, handle, "Target.getTargetInfo", M{"targetId": made}, on)
		if got := cdptest.Field(info, "targetInfo.browserContextId"); got != h.sup.ContextID() {
			t.Errorf("a new target is in the context %s, want %s", got, h.sup.ContextID())
		}
		extra := cdptest.Field(mustCall(t, handle, "Target.attachToTarget", M{"targetId": made}, on), "sessionId")
		mustCall(t, handle, "Runtime.evaluate", M{"expression": "1"}, capture.OnSession(extra))
		mustCall(t, handle, "Target.detachFromTarget", M{"sessionId": extra}, on)
		mustCall(t, handle, "Target.closeTarget", M{"targetId": made}, on)
	}
}

func (h *host) window(t *testing.T) json.RawMessage {
	t.Helper()
	raw := mustCall(t, h.capture(t, trusted), "Browser.getWindowForTarget", M{"targetId": h.page.TargetID})
	return json.RawMessage(cdptest.Field(raw, "windowId"))
}
