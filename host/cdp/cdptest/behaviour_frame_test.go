package cdptest_test

import (
	"testing"

	"cdphost/host/cdp/cdptest"
)

// frames are the events that make up the life of a frame.
var frames = []string{
	"Page.frameAttached", "Page.frameNavigated", "Page.frameDetached", "Page.frameSubtreeWillBeDetached",
	"Target.attachedToTarget", "Target.detachedFromTarget", "Target.targetInfoChanged",
	"Runtime.executionContextCreated", "Runtime.executionContextDestroyed",
	"Page.domContentEventFired", "Page.loadEventFired",
}

func navigation(t *testing.T, c carrier) {
	u := join(t, c)
	top := u.openPage("a.test/")
	u.wait(0, top, "Page.loadEventFired")
	for _, url := range []string{"a.test/local", "b.test/"} {
		mark := u.Mark()
		nav := u.answered(u.begin(top, "Page.navigate", M{"url": c.url(url)}))
		navigated := u.wait(mark, top, "Page.frameNavigated", "frame.url", c.url(url))
		started := u.wait(mark, top, "Page.frameStartedNavigating", "frameId", top.id, "navigationType", "differentDocument")
		loader := cdptest.Field(nav.Result, "loaderId")
		if started.Get("loaderId") != loader || navigated.Get("frame.loaderId") != loader || cdptest.Field(nav.Result, "frameId") != top.id {
			t.Errorf("loaders differ: %s, %s, %s", nav.Result, started.Params, navigated.Params)
		}
		cleared := u.wait(mark, top, "Runtime.executionContextsCleared")
		made := u.wait(cleared.Seq, top, "Runtime.executionContextCreated", "context.auxData.frameId", top.id)
		loaded := u.wait(made.Seq, top, "Page.loadEventFired")
		if started.Seq > nav.Seq || nav.Seq > cleared.Seq || cleared.Seq > navigated.Seq || navigated.Seq > made.Seq {
			t.Errorf("started %d, answered %d, cleared %d, navigated %d, context %d, loaded %d",
				started.Seq, nav.Seq, cleared.Seq, navigated.Seq, made.Seq, loaded.Seq)
		}
	}
}

func fragmentNavigation(t *testing.T, c carrier) {
	u := join(t, c)
	top := u.openPage("a.test/")
	u.wait(0, top, "Page.loadEventFired")
	mark := u.Mark()
	nav := u.Must(t, top.session, "Page.navigate", M{"url": c.url("a.test/#here")})
	u.wait(mark, top, "Page.navigatedWithinDocument", "url", c.url("a.test/#here"), "navigationType", "fragment")
	if got := cdptest.Field(nav, "loaderId"); got != "" {
		t.Errorf("loaderId = %q", got)
	}
	u.traced(mark, []string{"Page.frameNavigated", "Runtime.executionContextsCleared"})
}

func crossSiteFrame(t *testing.T, c carrier) {
	u := join(t, c)
	top := u.newPage()
	u.setUp(top)
	mark := u.Mark()
	u.Must(t, top.session, "Page.navigate", M{"url": c.url("a.test/frame")})
	frame := u.attached(mark, "frame", "targetInfo.type", "iframe")
	e := u.wait(mark, top, "Target.attachedToTarget", "targetInfo.targetId", frame.id)
	added := u.wait(mark, top, "Page.frameAttached", "frameId", frame.id, "parentFrameId", top.id)
	if added.Seq > e.Seq || e.Get("targetInfo.url") != "" || e.Get("targetInfo.parentFrameId") != top.id ||
		e.Get("targetInfo.parentId") != top.id || e.Get("waitingForDebugger") != "true" {
		t.Errorf("attached: %s", e.Params)
	}
	u.Must(t, frame.session, "Page.enable", nil)
	u.Must(t, frame.session, "Runtime.enable", nil)
	if got := cdptest.Field(u.Must(t, top.session, "Page.getFrameTree", nil), "frameTree.childFrames.0.frame.id"); got != frame.id {
		t.Errorf("the page's tree has child %q while the frame waits, want %s", got, frame.id)
	}
	mark = u.Mark()
	u.setUp(frame)
	u.wait(mark, top, "Page.loadEventFired")
	swapped := u.wait(mark, top, "Page.frameDetached", "frameId", frame.id, "reason", "swap")
	if navigated := u.wait(mark, frame, "Page.frameNavigated"); navigated.Seq > swapped.Seq {
		t.Errorf("navigated %d, swapped %d", navigated.Seq, swapped.Seq)
	}
	// Two processes send these, so only the order of each one's own is certain.
	u.tracedOn(frame, mark, frames,
		"frame Page.frameNavigated Navigation {b.test/}",
		"frame Runtime.executionContextCreated",
		"frame Page.domContentEventFired",
		"frame Page.loadEventFired",
	)
	u.tracedOn(top, mark, frames,
		"page Target.targetInfoChanged",
		"page Page.frameDetached swap",
		"page Page.loadEventFired",
	)
	if got := cdptest.Field(u.Must(t, top.session, "Page.getFrameTree", nil), "frameTree.childFrames"); got != "" {
		t.Errorf("the page's tree has children %s", got)
	}
	tree := u.Must(t, frame.session, "Page.getFrameTree", nil)
	if cdptest.Field(tree, "frameTree.frame.id") != frame.id || cdptest.Field(tree, "frameTree.frame.parentId") != top.id {
		t.Errorf("the frame's tree: %s", tree)
	}
}

func crossSiteFrameBack(t *testing.T, c carrier) {
	u := join(t, c)
	top, frame := u.openFrame()
	mark := u.Mark()
	u.setFrameURL(top, c.url("a.test/"))
	u.wait(mark, top, "Page.frameStoppedLoading", "frameId", frame.id)
	u.traced(mark, frames,
		"page Target.detachedFromTarget",
		"page Page.frameAttached",
		"page Page.frameNavigated Navigation {a.test/}",
		"page Runtime.executionContextCreated",
	)
	u.refused(frame, "Page.enable", nil, "cdp error -32001: Session with given id not found.")
}

func crossSiteFrameRemoved(t *testing.T, c carrier) {
	u := join(t, c)
	top, frame := u.openFrame()
	mark := u.Mark()
	u.answered(u.evaluate(top, "document.querySelector('iframe').remove()"))
	u.wait(mark, top, "Target.detachedFromTarget", "sessionId", frame.session)
	u.traced(mark, frames,
		"page Page.frameSubtreeWillBeDetached",
		"page Page.frameDetached remove",
		"page Target.detachedFromTarget",
	)
}

func sameSiteFrame(t *testing.T, c carrier) {
	u := join(t, c)
	top := u.newPage()
	u.setUp(top)
	mark := u.Mark()
	u.Must(t, top.session, "Page.navigate", M{"url": c.url("a.test/local")})
	u.wait(mark, top, "Page.loadEventFired")
	child := u.wait(mark, top, "Page.frameAttached", "parentFrameId", top.id).Get("frameId")
	u.wait(mark, top, "Page.frameNavigated", "frame.id", child, "frame.parentId", top.id)
	tree := u.Must(t, top.session, "Page.getFrameTree", nil)
	if cdptest.Field(tree, "frameTree.childFrames.0.frame.id") != child {
		t.Errorf("tree: %s", tree)
	}
	mark = u.Mark()
	u.answered(u.evaluate(top, "document.querySelector('iframe').remove()"))
	u.wait(mark, top, "Runtime.executionContextDestroyed")
	u.traced(mark, frames,
		"page Page.frameSubtreeWillBeDetached",
		"page Page.frameDetached remove",
		"page Runtime.executionContextDestroyed",
	)
}

func nestedFrames(t *testing.T, c carrier) {
	u := join(t, c)
	mark := u.Mark()
	top := u.openPage("a.test/deep")
	b := u.attached(mark, "b", "targetInfo.type", "iframe", "targetInfo.parentId", top.id)
	u.setUp(b)
	inner := u.attached(mark, "c", "targetInfo.type", "iframe", "targetInfo.parentId", b.id)
	u.setUp(inner)
	u.wait(mark, top, "Page.loadEventFired")
	u.wait(mark, b, "Page.frameDetached", "frameId", inner.id, "reason", "swap")
	mark = u.Mark()
	u.Must(t, top.session, "Page.navigate", M{"url": c.url("a.test/")})
	u.wait(mark, top, "Target.detachedFromTarget", "sessionId", b.session)
	u.wait(mark, top, "Page.loadEventFired")
	u.refused(inner, "Page.enable", nil, "cdp error -32001: Session with given id not found.")
}

func closing(t *testing.T, c carrier) {
	u := join(t, c)
	for _, cmd := range []string{"Target.closeTarget", "Page.close"} {
		top := u.openPage("a.test/")
		mark := u.Mark()
		on, params := target{}, M{"targetId": top.id}
		if cmd == "Page.close" {
			on, params = top, nil
		}
		answer := u.answered(u.begin(on, cmd, params))
		gone := u.wait(mark, target{}, "Target.detachedFromTarget", "sessionId", top.session, "targetId", top.id)
		if answer.Seq > gone.Seq {
			t.Errorf("%s answered %d, detached %d", cmd, answer.Seq, gone.Seq)
		}
	}
}

func crashing(t *testing.T, c carrier) {
	u := join(t, c)
	u.Must(t, "", "Target.setDiscoverTargets", M{"discover": true, "filter": []M{{"type": "page"}}})
	top, frame := u.openFrame()
	mark := u.Mark()
	crash := u.begin(top, "Page.crash", nil)
	crashed := u.wait(mark, top, "Inspector.targetCrashed")
	u.wait(mark, target{}, "Target.targetCrashed", "targetId", top.id, "status", "crashed")
	u.wait(mark, top, "Page.frameDetached", "frameId", frame.id, "reason", "remove")
	u.wait(mark, top, "Target.detachedFromTarget", "sessionId", frame.session)
	blocked := u.evaluate(top, "7")
	u.unanswered("Page.crash", crash)
	u.unanswered("Runtime.evaluate", blocked)
	u.Must(t, top.session, "Page.reload", nil)
	again := u.wait(mark, top, "Inspector.targetReloadedAfterCrash")
	if again.Seq < crashed.Seq {
		t.Errorf("reloaded %d, crashed %d", again.Seq, crashed.Seq)
	}
	navigated := u.wait(mark, top, "Page.frameNavigated", "frame.url", c.url("a.test/frame"))
	u.wait(navigated.Seq, top, "Page.frameAttached", "parentFrameId", top.id)
}
