package cdptest_test

import (
	"testing"
	"time"

	"cdphost/host/cdp/cdptest"
)

// deaths are what happens to the whole browser when a frame in another process has a dialog open and
// then something else happens, in steps that a client takes.
var deaths = []struct {
	name  string
	steps []string
	dies  bool
}{
	{"close", []string{"close"}, true},
	{"dispose", []string{"dispose"}, true},
	{"handle, close", []string{"handle", "close"}, false},
	{"disable, close", []string{"disable", "close"}, false},
	{"navigate", []string{"navigate"}, false},
	{"remove the frame", []string{"remove"}, false},
	{"remove the frame, handle", []string{"remove", "handle"}, true},
	{"remove the frame, navigate", []string{"remove", "navigate"}, true},
	{"remove the frame, disable, close", []string{"remove", "disable", "close"}, false},
	{"remove the frame, disable, navigate", []string{"remove", "disable", "navigate"}, false},
}

func TestDeath(t *testing.T) {
	t.Parallel()
	for _, carrier := range []struct {
		name string
		open func(*testing.T) carrier
	}{{"mock", mockCarrier}, {"chromium", chromeCarrier}} {
		for _, test := range deaths {
			t.Run(carrier.name+"/"+test.name, func(t *testing.T) {
				t.Parallel()
				u := join(t, carrier.open(t))
				ctx := cdptest.Field(u.Must(t, "", "Target.createBrowserContext", nil), "browserContextId")
				id := cdptest.Field(u.Must(t, "", "Target.createTarget", M{"url": "about:blank", "browserContextId": ctx}), "targetId")
				top := u.attached(0, "page", "targetInfo.targetId", id)
				u.setUp(top)
				u.Must(t, top.session, "Page.navigate", M{"url": u.carrier.url("a.test/frame")})
				frame := u.attached(0, "frame", "targetInfo.type", "iframe")
				u.setUp(frame)
				u.wait(0, top, "Page.loadEventFired")
				u.evaluate(frame, "confirm('open')")
				u.wait(0, top, "Page.javascriptDialogOpening")
				for _, step := range test.steps {
					u.take(top, ctx, step)
				}
				last := u.begin(target{}, "Browser.getVersion", nil)
				select {
				case answer := <-last:
					if died := answer.Err != nil; died != test.dies {
						t.Errorf("died: %v, want %v (%v)", died, test.dies, answer.Err)
					}
				case <-time.After(30 * time.Second):
					t.Error("the browser neither lives nor dies")
				}
			})
		}
	}
}

// take takes a step and waits until it is done, or the browser is gone.
func (u *user) take(top target, contextID, step string) {
	u.t.Helper()
	var reply <-chan cdptest.Answer
	switch step {
	case "close":
		reply = u.begin(target{}, "Target.closeTarget", M{"targetId": top.id})
	case "dispose":
		reply = u.begin(target{}, "Target.disposeBrowserContext", M{"browserContextId": contextID})
	case "handle":
		reply = u.begin(top, "Page.handleJavaScriptDialog", M{"accept": true})
	case "disable":
		reply = u.begin(top, "Page.disable", nil)
	case "navigate":
		reply = u.begin(top, "Page.navigate", M{"url": u.carrier.url("a.test/")})
	case "remove":
		reply = u.evaluate(top, "document.querySelector('iframe').remove()")
	default:
		u.t.Fatalf("unknown step %q", step)
	}
	u.answered(reply)
}
