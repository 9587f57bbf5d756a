package frames

import (
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/supervisor"
)

// After a lost connection the frames are the same and their sessions new.
func TestFramesAfterAReconnect(t *testing.T) {
	t.Parallel()
	s := site(t)
	browser := cdptest.Chrome(t)
	h := newHost(t, setup{wsURL: browser.WSURL, plugin: router("evaluate"), limits: everything})
	a := newAgent(t, h, s.URL("a.test", "/"))
	c := lookAt(t, a, browser.WSURL)
	a.atTop(t, add("src="+s.URL("b.test", "/leaf")))
	outer := a.frame(t, "/leaf")
	a.in(t, outer.ID, add("src="+s.URL("c.test", "/other")))
	a.in(t, outer.ID, add("srcdoc=x"))
	agree(t, a, c, 4)
	before := agreeBut(t, a, c, 4)
	for _, n := range before {
		a.in(t, n.ID, "self.mark='"+n.ID+"'")
	}
	epoch := a.supervisor(t).Snapshot().Epoch
	call := a.later(t, "browser_cdp", cdptest.M{
		"method": "Runtime.evaluate", "frame_id": outer.ID, "timeout": 50,
		"params": cdptest.M{"expression": "self.begun=true, new Promise(()=>{})", "awaitPromise": true},
	})
	for a.in(t, outer.ID, "self.begun") != "true" {
	}
	a.supervisor(t).Drop()
	if r := result(t, call); r == nil || r.Code != "capture_invalid" && r.Code != "sent_no_reply" {
		t.Errorf("the call in flight: %+v", r)
	}
	a.await(t, "the connection", func(p *supervisor.Page) bool {
		return a.supervisor(t).Snapshot().Epoch > epoch && p.Ready && p.Frames.Len() == 4
	})
	after := agreeBut(t, a, c, 4)
	if d := diff(after, before); d != "" {
		t.Error(d)
	}
	for _, n := range after {
		if got := a.in(t, n.ID, "String(self.mark)"); got != n.ID {
			t.Errorf("%v is another document: its mark is %s", n, got)
		}
		f, _ := a.page(t).Frames.Lookup(n.ID)
		if old := f.SessionID; n.OOPIF && old == outer.SessionID {
			t.Errorf("%v has its old session", n)
		}
	}
	// It goes on from there.
	a.atTop(t, "document.querySelector('iframe').src='"+s.URL("d.test", "/leaf")+"', 0")
	agree(t, a, c, 2)
}

// A frame can change while nobody is connected.
func TestFramesThatChangedMeanwhile(t *testing.T) {
	t.Parallel()
	s := site(t)
	browser := cdptest.Chrome(t)
	proxy := cdptest.NewProxy(t, cdptest.ProxyOptions{Target: browser.WSURL})
	h := newHost(t, setup{wsURL: proxy.URL(), plugin: router("evaluate"), limits: everything})
	a := newAgent(t, h, s.URL("a.test", "/"))
	c := lookAt(t, a, browser.WSURL)
	a.atTop(t, add("src="+s.URL("b.test", "/leaf")))
	a.atTop(t, add("src="+s.URL("a.test", "/other")))
	agree(t, a, c, 3)
	epoch := a.supervisor(t).Snapshot().Epoch
	session := cdptest.Field(c.Must(t, "", "Target.attachToTarget", cdptest.M{"targetId": c.targetID, "flatten": true}), "sessionId")
	proxy.Drop()
	// The first becomes local, the second remote, and a third one comes.
	c.Must(t, session, "Runtime.evaluate", cdptest.M{"expression": "(f=>{f[0].src='" + s.URL("a.test", "/leaf") + "';f[1].src='" + s.URL("c.test", "/leaf") +
		"'})(document.querySelectorAll('iframe')), " + add("src="+s.URL("d.test", "/leaf"))})
	a.await(t, "the connection", func(p *supervisor.Page) bool { return a.supervisor(t).Snapshot().Epoch > epoch && p.Ready })
	agreeBut(t, a, c, 4)
}

// A second host that joins a running browser sees the frames that are there, and
// both see those that come.
func TestASecondHostOnTheSameBrowser(t *testing.T) {
	t.Parallel()
	s := site(t)
	browser := cdptest.Chrome(t)
	one := newAgent(t, newHost(t, setup{wsURL: browser.WSURL, plugin: router("error"), limits: everything}), s.URL("a.test", "/"))
	c := lookAt(t, one, browser.WSURL)
	one.atTop(t, add("src="+s.URL("b.test", "/leaf")))
	one.in(t, one.frame(t, "/leaf").ID, add("src="+s.URL("c.test", "/other")))
	one.atTop(t, add("srcdoc=x"))
	agree(t, one, c, 4)
	first := agreeBut(t, one, c, 4)

	two := &agent{host: newHost(t, setup{wsURL: browser.WSURL, plugin: router("error"), limits: everything}), task: "joined"}
	two.must(t, "browser_connect", cdptest.M{"url": browser.WSURL, "adopt": one.page(t).TargetID})
	t.Cleanup(func() { two.registry.Forget(background(), two.key()) })
	if d := diff(agreeBut(t, two, c, 4), first); d != "" {
		t.Error(d)
	}
	two.in(t, two.frame(t, "/other").ID, "self.mark=1")
	if got := one.in(t, one.frame(t, "/other").ID, "self.mark"); got != "1" {
		t.Errorf("the two hosts mean different frames: %s", got)
	}
	one.atTop(t, "document.querySelector('iframe').src='"+s.URL("d.test", "/leaf")+"', 0")
	agree(t, one, c, 3)
	agreeBut(t, two, c, 3)
	two.in(t, two.frame(t, "/leaf").ID, add("src="+s.URL("b.test", "/other")))
	agree(t, one, c, 4)
	agreeBut(t, two, c, 4)
}
