package cdptest_test

import (
	"fmt"
	"testing"

	"cdphost/host/cdp/cdptest"
)

var dialogs = []string{"Page.javascriptDialogOpening", "Page.javascriptDialogClosed"}

func dialogOrder(t *testing.T, c carrier) {
	u := join(t, c)
	top := u.openPage("a.test/")
	mark := u.Mark()
	confirm := u.evaluate(top, "confirm('sure?')")
	e := u.wait(mark, top, "Page.javascriptDialogOpening", "type", "confirm", "message", "sure?", "frameId", top.id)
	if e.Get("url") != c.url("a.test/") || e.Get("hasBrowserHandler") != "true" || e.Get("defaultPrompt") != "" {
		t.Errorf("opening: %s", e.Params)
	}
	blocked := u.evaluate(top, "7")
	u.Must(t, top.session, "Page.getNavigationHistory", nil)
	u.unanswered("Runtime.evaluate", blocked)
	handle := u.answered(u.begin(top, "Page.handleJavaScriptDialog", M{"accept": true}))
	closed := u.wait(mark, top, "Page.javascriptDialogClosed", "result", "true", "frameId", top.id)
	first, second := u.answered(confirm), u.answered(blocked)
	if closed.Seq > handle.Seq || handle.Seq > first.Seq || first.Seq > second.Seq {
		t.Errorf("closed %d, handled %d, confirm %d, next %d", closed.Seq, handle.Seq, first.Seq, second.Seq)
	}
	if got := cdptest.Field(first.Result, "result.value"); got != "true" {
		t.Errorf("confirm = %q", got)
	}
	u.refused(top, "Page.handleJavaScriptDialog", M{"accept": true}, "cdp error -32602: No dialog is showing")
}

func promptResults(t *testing.T, c carrier) {
	u := join(t, c)
	top := u.openPage("a.test/")
	for _, test := range []struct {
		answer       M
		value, input string
	}{
		{M{"accept": true, "promptText": "typed"}, "typed", "typed"},
		{M{"accept": true}, "", ""},
		{M{"accept": false, "promptText": "typed"}, "null", "typed"},
	} {
		mark := u.Mark()
		prompt := u.evaluate(top, "prompt('name?', 'preset')")
		u.wait(mark, top, "Page.javascriptDialogOpening", "type", "prompt", "defaultPrompt", "preset")
		u.Must(t, top.session, "Page.handleJavaScriptDialog", test.answer)
		closed := u.wait(mark, top, "Page.javascriptDialogClosed")
		got := cdptest.Field(u.answered(prompt).Result, "result.value")
		if got != test.value || closed.Get("userInput") != test.input {
			t.Errorf("%v: prompt = %q, closed %s", test.answer, got, closed.Params)
		}
	}
}

func inlineDialog(t *testing.T, c carrier) {
	u := join(t, c)
	for _, features := range []string{"", "noopener"} {
		top := u.openPage("a.test/")
		mark := u.Mark()
		u.evaluate(top, fmt.Sprintf("void window.open('/alert','_blank','%s')", features))
		popup := u.attached(mark, "popup", "targetInfo.openerId", top.id)
		u.Send(
			cdptest.Command{SessionID: popup.session, Method: "Page.enable"},
			cdptest.Command{SessionID: popup.session, Method: "Runtime.runIfWaitingForDebugger"},
		)
		u.wait(mark, popup, "Page.javascriptDialogOpening", "type", "alert", "message", "inline")
		u.Must(t, popup.session, "Page.handleJavaScriptDialog", M{"accept": true})
		u.wait(mark, popup, "Page.loadEventFired")
	}
}

func frameDialog(t *testing.T, c carrier) {
	u := join(t, c)
	top, frame := u.openFrame()
	mark := u.Mark()
	confirm := u.evaluate(frame, "confirm('in a frame')")
	u.wait(mark, top, "Page.javascriptDialogOpening", "frameId", frame.id, "url", c.url("b.test/"))
	if got := cdptest.Field(u.answered(u.evaluate(top, "7")).Result, "result.value"); got != "7" {
		t.Errorf("the page does not answer while its frame is blocked: %q", got)
	}
	u.refused(frame, "Page.handleJavaScriptDialog", M{"accept": true}, "cdp error -32000: Command can only be executed on top-level targets")
	u.Must(t, top.session, "Page.handleJavaScriptDialog", M{"accept": true})
	if got := cdptest.Field(u.answered(confirm).Result, "result.value"); got != "true" {
		t.Errorf("confirm = %q", got)
	}
	u.traced(mark, dialogs, "page Page.javascriptDialogOpening confirm", "page Page.javascriptDialogClosed true")
}

func secondDialog(t *testing.T, c carrier) {
	u := join(t, c)
	top, frame := u.openFrame()
	mark := u.Mark()
	first := u.evaluate(frame, "confirm('first')")
	u.wait(mark, top, "Page.javascriptDialogOpening", "message", "first")
	second := u.evaluate(top, "confirm('second')")
	if got := cdptest.Field(u.answered(first).Result, "result.value"); got != "false" {
		t.Errorf("first = %q", got)
	}
	u.traced(mark, dialogs, "page Page.javascriptDialogOpening confirm",
		"page Page.javascriptDialogOpening confirm", "page Page.javascriptDialogClosed false")
	u.refused(top, "Page.handleJavaScriptDialog", M{"accept": true}, "cdp error -32602: No dialog is showing")
	u.unanswered("the second confirm", second)
	mark = u.Mark()
	u.Must(t, top.session, "Page.reload", nil)
	u.dismissedOrGone(second)
	u.traced(mark, dialogs, "page Page.javascriptDialogClosed false")
}

func lateClient(t *testing.T, c carrier) {
	u := join(t, c)
	top := u.openPage("a.test/")
	mark := u.Mark()
	alert := u.evaluate(top, "alert('open already')")
	u.wait(mark, top, "Page.javascriptDialogOpening")
	late := dial(t, c)
	tg := target{id: top.id, session: cdptest.Field(late.Must(t, "", "Target.attachToTarget", M{"targetId": top.id, "flatten": true}), "sessionId")}
	enable := late.begin(tg, "Page.enable", nil)
	late.unanswered("Page.enable", enable)
	late.refused(tg, "Page.handleJavaScriptDialog", M{"accept": true}, "cdp error -32602: No dialog is showing")
	u.Must(t, top.session, "Page.handleJavaScriptDialog", M{"accept": true})
	u.answered(alert)
	late.answered(enable)
	late.wait(0, tg, "Page.javascriptDialogClosed", "result", "true")
}

func detachOrphans(t *testing.T, c carrier) {
	u := join(t, c)
	top := u.openPage("a.test/")
	mark := u.Mark()
	u.evaluate(top, "alert('nobody will answer')")
	u.wait(mark, top, "Page.javascriptDialogOpening")
	u.Must(t, "", "Target.detachFromTarget", M{"sessionId": top.session})
	top.session = cdptest.Field(u.Must(t, "", "Target.attachToTarget", M{"targetId": top.id, "flatten": true}), "sessionId")
	enable := u.begin(top, "Page.enable", nil)
	u.unanswered("Page.enable", enable)
	u.refused(top, "Page.handleJavaScriptDialog", M{"accept": true}, "cdp error -32602: No dialog is showing")
	u.Must(t, top.session, "Page.navigate", M{"url": c.url("a.test/")})
	u.answered(enable)
	u.wait(mark, top, "Page.javascriptDialogClosed", "result", "false")
	u.answered(u.evaluate(top, "7"))
}

func beforeUnloadDismissed(t *testing.T, c carrier) {
	u := join(t, c)
	top := u.openPage("a.test/unload")
	u.answered(u.evaluate(top, "7")) // with a user gesture
	mark := u.Mark()
	nav := u.begin(top, "Page.navigate", M{"url": c.url("a.test/")})
	u.wait(mark, top, "Page.javascriptDialogOpening", "type", "beforeunload", "message", "")
	u.unanswered("Page.navigate", nav)
	handle := u.answered(u.begin(top, "Page.handleJavaScriptDialog", M{"accept": false}))
	answer := u.answered(nav)
	if got := cdptest.Field(answer.Result, "errorText"); got != "net::ERR_ABORTED" {
		t.Errorf("errorText = %q", got)
	}
	closed := u.wait(mark, top, "Page.javascriptDialogClosed", "result", "false")
	if answer.Seq > closed.Seq || closed.Seq > handle.Seq {
		t.Errorf("navigate %d, closed %d, handled %d", answer.Seq, closed.Seq, handle.Seq)
	}
}

func beforeUnloadAccepted(t *testing.T, c carrier) {
	u := join(t, c)
	top := u.openPage("a.test/unload")
	u.answered(u.evaluate(top, "7")) // with a user gesture
	mark := u.Mark()
	nav := u.begin(top, "Page.navigate", M{"url": c.url("a.test/")})
	u.wait(mark, top, "Page.javascriptDialogOpening", "type", "beforeunload")
	second := u.begin(top, "Page.navigate", M{"url": c.url("b.test/")})
	if got := cdptest.Field(u.answered(nav).Result, "errorText"); got != "net::ERR_ABORTED" {
		t.Errorf("errorText of the first = %q", got)
	}
	u.unanswered("the second Page.navigate", second)
	handle := u.answered(u.begin(top, "Page.handleJavaScriptDialog", M{"accept": true}))
	answer := u.answered(second)
	if cdptest.Field(answer.Result, "loaderId") == "" {
		t.Errorf("navigate: %s", answer.Result)
	}
	closed := u.wait(mark, top, "Page.javascriptDialogClosed", "result", "true")
	navigated := u.wait(mark, top, "Page.frameNavigated", "frame.url", c.url("b.test/"))
	if closed.Seq > handle.Seq || handle.Seq > answer.Seq || answer.Seq > navigated.Seq {
		t.Errorf("closed %d, handled %d, navigate %d, navigated %d", closed.Seq, handle.Seq, answer.Seq, navigated.Seq)
	}
}

func navigateOverDialog(t *testing.T, c carrier) {
	u := join(t, c)
	top := u.openPage("a.test/")
	mark := u.Mark()
	confirm := u.evaluate(top, "confirm('left open')")
	u.wait(mark, top, "Page.javascriptDialogOpening")
	nav := u.answered(u.begin(top, "Page.navigate", M{"url": c.url("b.test/")}))
	closed := u.wait(mark, top, "Page.javascriptDialogClosed", "result", "false")
	u.dismissedOrGone(confirm)
	navigated := u.wait(mark, top, "Page.frameNavigated", "frame.url", c.url("b.test/"))
	if closed.Seq > nav.Seq || nav.Seq > navigated.Seq {
		t.Errorf("closed %d, navigate %d, navigated %d", closed.Seq, nav.Seq, navigated.Seq)
	}
}

func closingWithDialog(t *testing.T, c carrier) {
	u := join(t, c)
	top := u.openPage("a.test/")
	mark := u.Mark()
	u.evaluate(top, "alert('left open')")
	u.wait(mark, top, "Page.javascriptDialogOpening")
	u.Must(t, "", "Target.closeTarget", M{"targetId": top.id})
	u.wait(mark, target{}, "Target.detachedFromTarget", "sessionId", top.session)
	u.traced(mark, append(dialogs, attach...), "page Page.javascriptDialogOpening alert",
		"page Page.javascriptDialogClosed false", "browser Target.detachedFromTarget")
}
