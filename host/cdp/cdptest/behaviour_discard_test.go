package cdptest_test

import (
	"testing"

	"cdphost/host/cdp/cdptest"
)

// TestDiscardedTab is a behaviour like the others, in a browser with the extension that it takes.
func TestDiscardedTab(t *testing.T) {
	t.Parallel()
	t.Run("mock", func(t *testing.T) {
		t.Parallel()
		discarding(t, mockCarrier(t))
	})
	t.Run("chromium", func(t *testing.T) {
		t.Parallel()
		discarding(t, carrierOn(t, cdptest.DiscardingChrome(t)))
	})
}

func discarding(t *testing.T, c carrier) {
	t.Helper()
	u := dial(t, c)
	// Pages only: a service worker would wait for its release, too.
	u.Must(t, "", "Target.setAutoAttach", M{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": []M{{"type": "page"}, {"exclude": true}}})
	u.Must(t, "", "Target.setDiscoverTargets", M{"discover": true, "filter": []M{{"type": "page"}}})
	open := func() target {
		mark := u.Mark()
		id := cdptest.Field(u.Must(t, "", "Target.createTarget", M{"url": "about:blank"}), "targetId")
		t.Cleanup(func() { <-u.Send(cdptest.Command{Method: "Target.closeTarget", Params: M{"targetId": id}})[0] })
		tg := u.attached(mark, "page", "targetInfo.targetId", id)
		u.setUp(tg)
		return tg
	}
	old := open()
	mark := u.Mark()
	url := c.url("c.test/")
	u.Must(t, old.session, "Page.navigate", M{"url": url})
	u.wait(mark, old, "Page.loadEventFired")
	open() // in front of it
	confirm := u.evaluate(old, "confirm('open')")
	u.wait(mark, old, "Page.javascriptDialogOpening")

	mark = u.Mark()
	c.discard(t, old.id, url)
	closed := u.wait(mark, old, "Page.javascriptDialogClosed", "result", "false")
	detaching := u.wait(mark, old, "Inspector.detached", "reason", "Render process gone.")
	attached := u.MustWait(t, mark, cdptest.Is("Target.attachedToTarget", "targetInfo.url", url, "waitingForDebugger", "true"))
	created := u.MustWait(t, mark, cdptest.Is("Target.targetCreated", "targetInfo.targetId", attached.Get("targetInfo.targetId"), "targetInfo.openerId", ""))
	detached := u.MustWait(t, mark, cdptest.Is("Target.detachedFromTarget", "sessionId", old.session))
	destroyed := u.MustWait(t, mark, cdptest.Is("Target.targetDestroyed", "targetId", old.id))
	if closed.Seq > detaching.Seq || detaching.Seq > min(attached.Seq, created.Seq) || max(attached.Seq, created.Seq) > detached.Seq || detached.Seq > destroyed.Seq {
		t.Errorf("closed %d, detaching %d, attached %d, created %d, detached %d, destroyed %d",
			closed.Seq, detaching.Seq, attached.Seq, created.Seq, detached.Seq, destroyed.Seq)
	}
	u.unanswered("the dialog of the discarded page", confirm)

	by := target{id: attached.Get("targetInfo.targetId"), session: attached.Get("sessionId")}
	u.names[by.session] = "successor"
	t.Cleanup(func() { <-u.Send(cdptest.Command{Method: "Target.closeTarget", Params: M{"targetId": by.id}})[0] })
	enable := u.begin(by, "Page.enable", nil)
	u.begin(by, "Runtime.runIfWaitingForDebugger", nil)
	u.unanswered("Page.enable of a discarded page", enable)
	u.Must(t, by.session, "Page.getNavigationHistory", nil)
	mark = u.Mark()
	u.Must(t, by.session, "Page.reload", nil)
	if a := u.answered(enable); a.Err != nil {
		t.Errorf("Page.enable: %v", a.Err)
	}
	u.wait(mark, by, "Page.loadEventFired")
	if a := u.answered(u.evaluate(by, "document.title")); cdptest.Field(a.Result, "result.value") != "C" {
		t.Errorf("the title is %s", a.Result)
	}
}
