package cdptest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cdphost/host/cdp/cdptest"
)

type M = cdptest.M

// user is a root-attached client of a carrier in a test.
type user struct {
	*cdptest.Client
	carrier carrier
	t       *testing.T
	names   map[string]string // of sessions, for traces
}

// filter leaves out the targets that a browser has of its own.
var filter = []M{{"type": "browser", "exclude": true}, {"type": "tab", "exclude": true}, {"type": "browser_ui", "exclude": true}, {}}

// join connects a client that attaches to every page and makes new ones wait.
func join(t *testing.T, c carrier) *user {
	t.Helper()
	u := dial(t, c)
	u.autoAttach()
	return u
}

// dial connects a client that attaches to nothing yet.
func dial(t *testing.T, c carrier) *user {
	t.Helper()
	return &user{Client: cdptest.Dial(t, c.ws), carrier: c, t: t, names: map[string]string{"": "browser"}}
}

func (u *user) autoAttach() {
	u.t.Helper()
	u.Must(u.t, "", "Target.setAutoAttach", M{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": filter})
}

// target is a page or frame as a user sees it.
type target struct{ id, session string }

// attached waits for a target that matches and names its session.
func (u *user) attached(mark int, name string, pairs ...string) target {
	u.t.Helper()
	e := u.MustWait(u.t, mark, cdptest.Is("Target.attachedToTarget", pairs...))
	tg := target{id: e.Get("targetInfo.targetId"), session: e.Get("sessionId")}
	u.names[tg.session] = name
	return tg
}

// newPage creates a page in a context of its own. It is paused.
func (u *user) newPage() target {
	u.t.Helper()
	ctx := cdptest.Field(u.Must(u.t, "", "Target.createBrowserContext", nil), "browserContextId")
	u.t.Cleanup(func() {
		<-u.Send(cdptest.Command{Method: "Target.disposeBrowserContext", Params: M{"browserContextId": ctx}})[0]
	})
	mark := u.Mark()
	id := cdptest.Field(u.Must(u.t, "", "Target.createTarget", M{"url": "about:blank", "browserContextId": ctx}), "targetId")
	return u.attached(mark, "page", "targetInfo.targetId", id)
}

// setUp is the burst that makes a paused target run with everything on.
func (u *user) setUp(tg target) {
	u.t.Helper()
	for _, reply := range u.Send(
		cdptest.Command{SessionID: tg.session, Method: "Page.enable"},
		cdptest.Command{SessionID: tg.session, Method: "Runtime.enable"},
		cdptest.Command{SessionID: tg.session, Method: "Target.setAutoAttach", Params: M{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true}},
		cdptest.Command{SessionID: tg.session, Method: "Runtime.runIfWaitingForDebugger"},
	) {
		u.answered(reply)
	}
}

// openPage creates a page, lets it run and takes it to a document.
func (u *user) openPage(hostPath string) target {
	u.t.Helper()
	tg := u.newPage()
	u.setUp(tg)
	mark := u.Mark()
	u.Must(u.t, tg.session, "Page.navigate", M{"url": u.carrier.url(hostPath)})
	u.MustWait(u.t, mark, cdptest.On(tg.session, cdptest.Is("Page.domContentEventFired")))
	return tg
}

// openFrame creates a page with a cross-site frame and lets both run.
func (u *user) openFrame() (top, frame target) {
	u.t.Helper()
	mark := u.Mark()
	top = u.openPage("a.test/frame")
	frame = u.attached(mark, "frame", "targetInfo.type", "iframe", "targetInfo.parentId", top.id)
	u.setUp(frame)
	u.MustWait(u.t, mark, cdptest.On(top.session, cdptest.Is("Page.loadEventFired")))
	return top, frame
}

// begin sends a command without waiting.
func (u *user) begin(tg target, method string, params any) <-chan cdptest.Answer {
	return u.Send(cdptest.Command{SessionID: tg.session, Method: method, Params: params})[0]
}

func (u *user) evaluate(tg target, expression string) <-chan cdptest.Answer {
	return u.begin(tg, "Runtime.evaluate", M{"expression": expression, "userGesture": true})
}

// answered waits for an answer.
func (u *user) answered(reply <-chan cdptest.Answer) cdptest.Answer {
	u.t.Helper()
	select {
	case a := <-reply:
		return a
	case <-time.After(30 * time.Second):
		u.t.Fatal("no answer in 30 s")
		return cdptest.Answer{}
	}
}

// dismissedOrGone checks the answer of a confirm whose document was navigated away. Which of the two it
// is depends on whether the old document's process or the new one is faster.
func (u *user) dismissedOrGone(reply <-chan cdptest.Answer) {
	u.t.Helper()
	a := u.answered(reply)
	gone := fmt.Sprint(a.Err) == "cdp error -32000: Inspected target navigated or closed"
	if !gone && cdptest.Field(a.Result, "result.value") != "false" {
		u.t.Errorf("confirm: %s %v", a.Result, a.Err)
	}
}

// unanswered checks that a command is not answered although the browser is done with all that it
// could do: it answers two round trips and has the time of a slow navigation.
func (u *user) unanswered(what string, reply <-chan cdptest.Answer) {
	u.t.Helper()
	u.Must(u.t, "", "Target.getTargets", nil)
	select {
	case a := <-reply:
		u.t.Fatalf("%s was answered: %s %v", what, a.Result, a.Err)
	case <-time.After(150 * time.Millisecond):
	}
}

// refused checks the error of a command.
func (u *user) refused(tg target, method string, params any, want string) {
	u.t.Helper()
	a := u.answered(u.begin(tg, method, params))
	if got := fmt.Sprint(a.Err); got != want {
		u.t.Errorf("%s: %s, want %s", method, got, want)
	}
}

// trace writes the events after a mark that match in order, those of the given methods only, each as
// the name of its session, the method, and the detail that tells such events apart.
func (u *user) trace(mark int, match func(cdptest.Event) bool, methods ...string) []string {
	var lines []string
	for _, e := range u.Events(mark, match) {
		if !slices.Contains(methods, e.Method) {
			continue
		}
		line := u.names[e.SessionID] + " " + e.Method
		for _, path := range []string{"reason", "type", "frame.url", "waitingForDebugger", "result", "name"} {
			if v := e.Get(path); v != "" {
				line += " " + v
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// traced checks a trace. want may name documents as {host/path}.
func (u *user) traced(mark int, methods []string, want ...string) {
	u.t.Helper()
	u.compare(u.trace(mark, nil, methods...), want)
}

// tracedOn is traced for the events of one target's session.
func (u *user) tracedOn(tg target, mark int, methods []string, want ...string) {
	u.t.Helper()
	on := func(e cdptest.Event) bool { return e.SessionID == tg.session }
	u.compare(u.trace(mark, on, methods...), want)
}

func (u *user) compare(got, want []string) {
	u.t.Helper()
	for i, line := range want {
		if before, rest, ok := strings.Cut(line, "{"); ok {
			hostPath, after, _ := strings.Cut(rest, "}")
			want[i] = before + u.carrier.url(hostPath) + after
		}
	}
	if !slices.Equal(got, want) {
		u.t.Errorf("trace:\n  %s\nwant:\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// wait waits for an event of a target.
func (u *user) wait(mark int, tg target, method string, pairs ...string) cdptest.Event {
	u.t.Helper()
	return u.MustWait(u.t, mark, cdptest.On(tg.session, cdptest.Is(method, pairs...)))
}

// setFrameURL takes a page's one iframe somewhere else.
func (u *user) setFrameURL(top target, url string) {
	u.t.Helper()
	u.answered(u.evaluate(top, "document.querySelector('iframe').src = '"+url+"'"))
}
