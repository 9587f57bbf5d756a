package frames

import (
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/supervisor"
)

// A call whose frame navigates, moves or goes says so.
func TestFrameChangesDuringACall(t *testing.T) {
	t.Parallel()
	s := site(t)
	local, remote := s.URL("a.test", "/leaf"), s.URL("b.test", "/leaf")
	src := func(url string) string { return "document.querySelector('iframe').src='" + url + "', 0" }
	const remove = "document.querySelector('iframe').remove()"
	for _, tc := range []struct {
		name, frame, do string
		says            []string
	}{
		{"a remote one navigates", remote, src(s.URL("b.test", "/other")), []string{"navigated to " + s.URL("b.test", "/other"), `"frame_change":"navigated"`}},
		{"a remote one goes to another site", remote, src(s.URL("c.test", "/other")), []string{"navigated to " + s.URL("c.test", "/other")}},
		{"a remote one becomes local", remote, src(s.URL("a.test", "/other")), []string{"navigated to " + s.URL("a.test", "/other")}},
		{"a remote one is removed", remote, remove, []string{"went away", `"frame_change":"gone"`}},
		{"a local one navigates", local, src(s.URL("a.test", "/other")), []string{"navigated to " + s.URL("a.test", "/other")}},
		{"a local one becomes remote", local, src(s.URL("b.test", "/other")), []string{"navigated to " + s.URL("b.test", "/other")}},
		{"a local one is removed", local, remove, []string{"went away"}},
		{"the page navigates", remote, "location='" + s.URL("a.test", "/other") + "', 0", []string{"went away"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			a := newAgent(t, onShared(t, "evaluate"), s.URL("a.test", "/"))
			a.atTop(t, add("src="+tc.frame))
			f := a.frame(t, "/leaf")
			call := a.later(t, "browser_cdp", cdptest.M{
				"method": "Runtime.evaluate", "frame_id": f.ID, "timeout": 50,
				"params": cdptest.M{"expression": "self.begun=true, new Promise(()=>{})", "awaitPromise": true},
			})
			for a.in(t, f.ID, "self.begun") != "true" {
			}
			a.atTop(t, tc.do)
			result(t, call).wants(t, "sent_no_reply", append(tc.says, f.ID, "before you repeat it")...)
		})
	}
}

// The process of one frame dies: its page goes on, and says which frame it was.
func TestProcessOfOneFrameCrashes(t *testing.T) {
	t.Parallel()
	s := site(t)
	// No other test shares the process of this site.
	h := onShared(t, "error")
	a := newAgent(t, h, s.URL("a.test", "/"))
	a.atTop(t, add("src="+s.URL("crash.test", "/leaf")))
	f := a.frame(t, "/leaf")
	a.in(t, f.ID, add("src="+s.URL("inside.test", "/other")))
	a.frame(t, "/other")
	call := a.later(t, "browser_cdp", cdptest.M{
		"method": "Runtime.evaluate", "frame_id": f.ID, "timeout": 50,
		"params": cdptest.M{"expression": "self.begun=true, new Promise(()=>{})", "awaitPromise": true},
	})
	for a.in(t, f.ID, "self.begun") != "true" {
	}
	c := lookAt(t, a, cdptest.SharedChrome(t).WSURL)
	session := cdptest.Field(c.Must(t, "", "Target.attachToTarget", cdptest.M{"targetId": f.ID, "flatten": true}), "sessionId")
	c.Send(cdptest.Command{SessionID: session, Method: "Page.crash"})
	result(t, call).wants(t, "sent_no_reply", "crashed", f.ID, `"frame_change":"crashed"`)
	p := a.await(t, "the crash", func(p *supervisor.Page) bool { f, ok := p.Frames.Lookup(f.ID); return ok && f.Crashed })
	if p.Crashed || p.Frames.Len() != 2 {
		t.Errorf("page crashed: %v, %d frames", p.Crashed, p.Frames.Len())
	}
	if got := a.atTop(t, "1+1"); got != "2" {
		t.Errorf("the page answers %q", got)
	}
	tree := cdptest.Field(a.must(t, "browser_snapshot", cdptest.M{"text": false}), "frame_tree.children.0")
	if got := cdptest.Field([]byte(tree), "crashed"); got != "true" {
		t.Errorf("frame_tree has %s", tree)
	}
	a.refused(t, "browser_cdp", cdptest.M{"method": "Runtime.evaluate", "frame_id": f.ID, "params": cdptest.M{"expression": "1"}}).
		wants(t, "navigation_failed", "has crashed", "nothing was sent", f.ID)

	a.atTop(t, "document.querySelector('iframe').src+='', 0")
	a.await(t, "the frame to come back", func(p *supervisor.Page) bool {
		f, ok := p.Frames.Lookup(f.ID)
		return ok && !f.Crashed && f.DefaultContext != "" && f.SessionID != ""
	})
	a.loaded(t, f.ID)
	if got := a.in(t, f.ID, "document.title"); got != "leaf" {
		t.Errorf("after its reload the frame's title is %q", got)
	}
}
