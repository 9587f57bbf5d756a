package cdptest_test

import (
	"testing"

	"cdphost/host/cdp/cdptest"
)

// behaviours run on the mock and on Chromium with the same expectations: what the mock claims of
// Chrome is what Chrome does. The cases of one carrier run one after the other, because root-attached
// clients pause each other's pages.
var behaviours = []struct {
	name string
	run  func(t *testing.T, c carrier)
}{
	{"a created page waits for its release", createdPageWaits},
	{"a created page waits for every root client", createdPageWaitsForAll},
	{"detaching counts as a release of a created page", detachReleasesCreatedPage},
	{"a popup with opener runs at the first release", popupWithOpener},
	{"a popup with opener stays paused when detached", popupDetachedUnreleased},
	{"a popup with opener waits without being asked to", popupWaitsUnasked},
	{"a popup without opener answers nothing before every release", popupNoopener},
	{"a popup without opener goes on when a client is gone", popupNoopenerClientGone},
	{"navigation", navigation},
	{"navigation to a fragment", fragmentNavigation},
	{"dialogs block and are answered in order", dialogOrder},
	{"what a prompt returns", promptResults},
	{"an inline dialog of a paused popup", inlineDialog},
	{"errors", errorCodes},
	{"a cross-site frame", crossSiteFrame},
	{"a cross-site frame comes back", crossSiteFrameBack},
	{"a cross-site frame is removed", crossSiteFrameRemoved},
	{"a same-site frame", sameSiteFrame},
	{"nested cross-site frames", nestedFrames},
	{"a dialog of a cross-site frame", frameDialog},
	{"a second dialog orphans itself", secondDialog},
	{"a late client cannot handle", lateClient},
	{"detaching orphans a dialog", detachOrphans},
	{"leaving is dismissed", beforeUnloadDismissed},
	{"leaving is accepted", beforeUnloadAccepted},
	{"navigating dismisses a dialog", navigateOverDialog},
	{"closing", closing},
	{"closing with a dialog", closingWithDialog},
	{"a crash", crashing},
	{"auto-attach off and late", autoAttachLater},
	{"discovery", discovery},
	{"disposing of a context", disposing},
}

func TestBehaviour(t *testing.T) {
	t.Parallel()
	for _, carrier := range []struct {
		name string
		open func(*testing.T) carrier
	}{{"mock", mockCarrier}, {"chromium", chromeCarrier}} {
		t.Run(carrier.name, func(t *testing.T) {
			t.Parallel()
			c := carrier.open(t)
			for _, b := range behaviours {
				t.Run(b.name, func(t *testing.T) { b.run(t, c) })
			}
		})
	}
}

func errorCodes(t *testing.T, c carrier) {
	u := join(t, c)
	top, frame := u.openFrame()
	browser, nobody := target{}, target{session: "NOPE"}
	accept := M{"accept": true}
	u.refused(top, "Page.handleJavaScriptDialog", accept, "cdp error -32602: No dialog is showing")
	u.refused(top, "Page.handleJavaScriptDialog", nil, "cdp error -32602: Invalid parameters")
	u.refused(frame, "Page.handleJavaScriptDialog", accept, "cdp error -32000: Command can only be executed on top-level targets")
	u.refused(browser, "Page.handleJavaScriptDialog", accept, "cdp error -32601: 'Page.handleJavaScriptDialog' wasn't found")
	u.refused(nobody, "Page.handleJavaScriptDialog", accept, "cdp error -32001: Session with given id not found.")
	u.refused(top, "Page.noSuchMethod", nil, "cdp error -32601: 'Page.noSuchMethod' wasn't found")
	u.refused(browser, "Target.attachToTarget", M{"targetId": "x"}, "cdp error -32602: No target with given id found")
	u.refused(browser, "Target.closeTarget", M{"targetId": "x"}, "cdp error -32602: No target with given id found")
	u.refused(browser, "Target.detachFromTarget", M{"sessionId": "x"}, "cdp error -32602: No session with given id")
	u.refused(browser, "Target.disposeBrowserContext", M{"browserContextId": "x"}, "cdp error -32000: Failed to find context with id x")
	u.refused(browser, "Target.createTarget", M{"url": "about:blank", "browserContextId": "x"}, "cdp error -32000: Failed to find browser context with id x")
	u.refused(top, "Page.navigate", M{"url": "::"}, "cdp error -32000: Cannot navigate to invalid URL")
	u.refused(top, "Runtime.evaluate", M{"expression": "1", "contextId": 99999}, "cdp error -32000: Cannot find context with specified id")
	u.refused(top, "Runtime.evaluate", M{"expression": "1", "uniqueContextId": "1.1"}, "cdp error -32602: uniqueContextId not found")
	u.refused(top, "Page.removeScriptToEvaluateOnNewDocument", M{"identifier": "99"}, "cdp error -32000: Script not found")
}

func discovery(t *testing.T, c carrier) {
	discover := M{"discover": true, "filter": []M{{"type": "page"}, {"type": "iframe"}}}
	attachFirst := join(t, c)
	attachFirst.Must(t, "", "Target.setDiscoverTargets", discover)
	created := attachFirst.Mark()
	id := attachFirst.newPage().id
	e := attachFirst.MustWait(t, created, cdptest.Is("Target.targetCreated", "targetInfo.targetId", id))
	if e.Get("targetInfo.attached") != "true" || e.Seq < attachFirst.MustWait(t, created, cdptest.Is("Target.attachedToTarget")).Seq {
		t.Errorf("with auto-attach on first: %+v", e)
	}
	attachFirst.Close()

	u := dial(t, c)
	mark := u.Mark()
	u.Must(t, "", "Target.setDiscoverTargets", discover)
	u.autoAttach()
	top, frame := u.openFrame()
	for _, id := range []string{top.id, frame.id} {
		created := u.MustWait(t, mark, cdptest.Is("Target.targetCreated", "targetInfo.targetId", id))
		attached := u.MustWait(t, mark, cdptest.Is("Target.attachedToTarget", "targetInfo.targetId", id))
		changed := u.MustWait(t, mark, cdptest.Is("Target.targetInfoChanged", "targetInfo.targetId", id, "targetInfo.attached", "true"))
		if created.Get("targetInfo.attached") != "false" || created.Seq > changed.Seq || changed.Seq > attached.Seq {
			t.Errorf("created %d, changed %d, attached %d", created.Seq, changed.Seq, attached.Seq)
		}
	}
	mark = u.Mark()
	u.Must(t, "", "Target.closeTarget", M{"targetId": top.id})
	u.MustWait(t, mark, cdptest.Is("Target.targetDestroyed", "targetId", top.id))
	u.MustWait(t, mark, cdptest.Is("Target.targetDestroyed", "targetId", frame.id))
}

func disposing(t *testing.T, c carrier) {
	u := join(t, c)
	ctx := cdptest.Field(u.Must(t, "", "Target.createBrowserContext", nil), "browserContextId")
	id := cdptest.Field(u.Must(t, "", "Target.createTarget", M{"url": "about:blank", "browserContextId": ctx}), "targetId")
	tg := u.attached(0, "page", "targetInfo.targetId", id, "targetInfo.browserContextId", ctx)
	u.setUp(tg)
	mark := u.Mark()
	u.Must(t, "", "Target.disposeBrowserContext", M{"browserContextId": ctx})
	u.MustWait(t, mark, cdptest.Is("Target.detachedFromTarget", "targetId", id))
	u.refused(tg, "Page.enable", nil, "cdp error -32001: Session with given id not found.")
}

func autoAttachLater(t *testing.T, c carrier) {
	u := join(t, c)
	top, frame := u.openFrame()
	late := dial(t, c)
	tg := target{id: top.id, session: cdptest.Field(late.Must(t, "", "Target.attachToTarget", M{"targetId": top.id, "flatten": true}), "sessionId")}
	late.names[tg.session] = "page"
	mark := late.Mark()
	on := M{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true}
	a := late.answered(late.begin(tg, "Target.setAutoAttach", on))
	e := late.wait(mark, tg, "Target.attachedToTarget", "targetInfo.targetId", frame.id, "waitingForDebugger", "false")
	if e.Seq > a.Seq {
		t.Errorf("attached at %d, after the answer at %d", e.Seq, a.Seq)
	}
	mark = late.Mark()
	a = late.answered(late.begin(tg, "Target.setAutoAttach", M{"autoAttach": false, "waitForDebuggerOnStart": false, "flatten": true}))
	if e := late.wait(mark, tg, "Target.detachedFromTarget", "sessionId", e.Get("sessionId")); e.Seq > a.Seq {
		t.Errorf("detached at %d, after the answer at %d", e.Seq, a.Seq)
	}
}
