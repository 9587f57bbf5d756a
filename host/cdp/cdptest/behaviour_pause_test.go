package cdptest_test

import (
	"testing"

	"cdphost/host/cdp/cdptest"
)

var attach = []string{"Target.attachedToTarget", "Target.detachedFromTarget"}

func createdPageWaits(t *testing.T, c carrier) {
	u := join(t, c)
	mark := u.Mark()
	create := u.answered(u.begin(target{}, "Target.createTarget", M{"url": "about:blank"}))
	tg := u.attached(mark, "page", "targetInfo.targetId", cdptest.Field(create.Result, "targetId"))
	e := u.wait(mark, target{}, "Target.attachedToTarget", "waitingForDebugger", "true", "targetInfo.url", "about:blank")
	if e.Seq > create.Seq {
		t.Errorf("attached at %d, after the answer at %d", e.Seq, create.Seq)
	}
	u.Must(t, tg.session, "Page.enable", nil)
	u.Must(t, tg.session, "Page.getFrameTree", nil)
	nav := u.begin(tg, "Page.navigate", M{"url": c.url("a.test/")})
	u.wait(mark, tg, "Page.frameStartedNavigating")
	u.unanswered("Page.navigate", nav)
	u.Must(t, tg.session, "Runtime.runIfWaitingForDebugger", nil)
	u.answered(nav)
	u.wait(mark, tg, "Page.loadEventFired")
	u.Must(t, "", "Target.closeTarget", M{"targetId": tg.id})
}

func createdPageWaitsForAll(t *testing.T, c carrier) {
	a, b := join(t, c), join(t, c)
	mark := b.Mark()
	tgA := a.newPage()
	tgB := b.attached(mark, "page", "targetInfo.targetId", tgA.id)
	a.setUp(tgA)
	mark = a.Mark()
	nav := a.begin(tgA, "Page.navigate", M{"url": c.url("a.test/")})
	a.wait(mark, tgA, "Page.frameStartedNavigating")
	a.unanswered("Page.navigate", nav)
	later := a.evaluate(tgA, "7")
	a.unanswered("Runtime.evaluate", later)
	b.Must(t, tgB.session, "Runtime.runIfWaitingForDebugger", nil)
	a.answered(nav)
	a.wait(mark, tgA, "Page.loadEventFired")
	if got := cdptest.Field(a.answered(later).Result, "result.value"); got != "7" {
		t.Errorf("evaluate = %q", got)
	}
}

func detachReleasesCreatedPage(t *testing.T, c carrier) {
	a, b := join(t, c), join(t, c)
	mark := b.Mark()
	tgA := a.newPage()
	tgB := b.attached(mark, "page", "targetInfo.targetId", tgA.id)
	a.setUp(tgA)
	b.Must(t, "", "Target.detachFromTarget", M{"sessionId": tgB.session})
	mark = a.Mark()
	a.Must(t, tgA.session, "Page.navigate", M{"url": c.url("a.test/")})
	a.wait(mark, tgA, "Page.loadEventFired")
}

func popupWithOpener(t *testing.T, c carrier) {
	a := join(t, c)
	top := a.openPage("a.test/")
	b := join(t, c)
	mark := a.Mark()
	open := a.evaluate(top, "void window.open('/')")
	popup := a.attached(mark, "popup", "targetInfo.openerId", top.id)
	e := a.wait(mark, target{}, "Target.attachedToTarget", "targetInfo.openerFrameId", top.id)
	if e.Get("targetInfo.url") != "" || e.Get("targetInfo.canAccessOpener") != "true" || e.Get("waitingForDebugger") != "true" {
		t.Errorf("attached: %s", e.Params)
	}
	b.attached(0, "popup", "targetInfo.openerId", top.id)
	a.Must(t, popup.session, "Page.enable", nil)
	a.Must(t, popup.session, "Runtime.enable", nil)
	a.unanswered("window.open", open)
	mark = a.Mark()
	a.setUp(popup) // b does not release
	a.answered(open)
	a.wait(mark, popup, "Page.loadEventFired")
	a.traced(mark, []string{"Page.frameStartedNavigating", "Page.frameNavigated", "Page.loadEventFired"},
		"popup Page.frameStartedNavigating", "popup Page.frameNavigated Navigation {a.test/}", "popup Page.loadEventFired")
}

func popupDetachedUnreleased(t *testing.T, c carrier) {
	u := join(t, c)
	top := u.openPage("a.test/")
	mark := u.Mark()
	open := u.evaluate(top, "void window.open('/')")
	popup := u.attached(mark, "popup", "targetInfo.openerId", top.id)
	u.Must(t, "", "Target.detachFromTarget", M{"sessionId": popup.session})
	u.unanswered("window.open", open)
	popup.session = cdptest.Field(u.Must(t, "", "Target.attachToTarget", M{"targetId": popup.id, "flatten": true}), "sessionId")
	u.setUp(popup)
	u.answered(open)
	u.wait(mark, popup, "Page.loadEventFired")
}

func popupWaitsUnasked(t *testing.T, c carrier) {
	u := join(t, c)
	top := u.openPage("a.test/")
	u.Must(t, "", "Target.setAutoAttach", M{"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true, "filter": filter})
	mark := u.Mark()
	open := u.evaluate(top, "void window.open('/')")
	popup := u.attached(mark, "popup", "targetInfo.openerId", top.id, "waitingForDebugger", "false")
	u.unanswered("window.open", open)
	u.setUp(popup)
	u.answered(open)
	u.wait(mark, popup, "Page.loadEventFired")
}

func popupNoopener(t *testing.T, c carrier) {
	a := join(t, c)
	top := a.openPage("a.test/")
	b := join(t, c)
	mark := a.Mark()
	a.answered(a.evaluate(top, "void window.open('/','_blank','noopener')"))
	popup := a.attached(mark, "popup", "targetInfo.openerId", top.id, "targetInfo.canAccessOpener", "false")
	popupB := b.attached(0, "popup", "targetInfo.openerId", top.id)
	enable := a.begin(popup, "Page.enable", nil)
	add := a.begin(popup, "Page.addScriptToEvaluateOnNewDocument", M{"source": "1"})
	tree := a.begin(popup, "Page.getFrameTree", nil)
	a.Must(t, popup.session, "Target.setAutoAttach", M{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true})
	a.Must(t, popup.session, "Page.getNavigationHistory", nil)
	a.unanswered("Page.enable", enable)
	release := a.begin(popup, "Runtime.runIfWaitingForDebugger", nil)
	a.unanswered("Runtime.runIfWaitingForDebugger", release)
	b.answered(b.begin(popupB, "Runtime.runIfWaitingForDebugger", nil))
	seq := 0
	for _, reply := range []<-chan cdptest.Answer{enable, add, tree, release} {
		answer := a.answered(reply)
		if answer.Err != nil || answer.Seq < seq {
			t.Errorf("answers out of order: %d after %d, %v", answer.Seq, seq, answer.Err)
		}
		seq = answer.Seq
	}
	if e := a.wait(mark, popup, "Page.frameNavigated", "frame.url", c.url("a.test/")); e.Seq < seq {
		t.Errorf("navigated at %d, before the release was answered at %d", e.Seq, seq)
	}
	a.wait(mark, popup, "Page.loadEventFired")
}

func popupNoopenerClientGone(t *testing.T, c carrier) {
	a := join(t, c)
	top := a.openPage("a.test/")
	b := join(t, c)
	mark := a.Mark()
	a.answered(a.evaluate(top, "void window.open('/','_blank','noopener')"))
	popup := a.attached(mark, "popup", "targetInfo.openerId", top.id)
	b.attached(0, "popup", "targetInfo.openerId", top.id)
	enable := a.begin(popup, "Page.enable", nil)
	release := a.begin(popup, "Runtime.runIfWaitingForDebugger", nil)
	a.unanswered("Runtime.runIfWaitingForDebugger", release)
	b.Close()
	a.answered(enable)
	a.answered(release)
	a.wait(mark, popup, "Page.loadEventFired")
}
