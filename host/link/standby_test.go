package link_test

import (
	"slices"
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/link"
)

// withStandby opens a link that has its standby.
func withStandby(t *testing.T, m *cdptest.Server) *link.Link {
	t.Helper()
	o := options(t)
	o.NoStandby = false
	l := open(t, spec(m.URL()), o)
	eventually(t, "the standby is there", func() bool { return l.Capabilities().Has[link.CapStandby] })
	return l
}

// TestAReleaseWaitsForTheStandby: what a popup's first statement opens is open for the
// standby, too.
func TestAReleaseWaitsForTheStandby(t *testing.T) {
	t.Parallel()
	for _, noopener := range []bool{false, true} {
		m := cdptest.New(t, cdptest.Options{})
		task, v := join(t, withStandby(t, m))
		id, err := task.OpenPage(bound(t))
		if err != nil {
			t.Fatal(err)
		}
		pop := m.Page(id).Top().OpenPopup("http://a.test/", noopener).TargetID()
		eventually(t, "the popup is set up", func() bool { return v.heard("ready " + pop) })
		own := v.sessionOf(pop)
		second := ""
		for _, session := range m.Page(pop).Sessions() {
			if session != own {
				second = session
			}
		}
		at := func(session, method string) int {
			return slices.IndexFunc(m.Sent(""), func(r cdptest.Request) bool { return r.SessionID == session && r.Method == method })
		}
		watched, released := at(second, "Page.enable"), at(own, "Runtime.runIfWaitingForDebugger")
		if watched < 0 || released < watched {
			t.Errorf("noopener %v: the standby watches with command %d, the release is command %d", noopener, watched, released)
		}
	}
}

// TestAStandbyThatDoesNotAnswer holds up no page.
func TestAStandbyThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	m := cdptest.New(t, cdptest.Options{})
	task, v := join(t, withStandby(t, m))
	id, err := task.OpenPage(bound(t))
	if err != nil {
		t.Fatal(err)
	}
	m.Hang("Target.attachToTarget")
	pop := m.Page(id).Top().OpenPopup("http://a.test/", true).TargetID()
	eventually(t, "the popup is set up", func() bool { return v.heard("ready " + pop) })
	if task.StandbyWatches(pop) {
		t.Error("the standby is said to watch the popup")
	}
}

// TestTheStandbyEnds while it is being waited for, or later: nothing waits for it, and
// the task learns that it has no session there any more.
func TestTheStandbyEnds(t *testing.T) {
	t.Parallel()
	m := cdptest.New(t, cdptest.Options{})
	proxy := cdptest.NewProxy(t, cdptest.ProxyOptions{Target: m.URL()})
	o := options(t)
	o.NoStandby = false
	o.Dial = second(proxy.URL())
	l := open(t, spec(m.URL()), o)
	eventually(t, "the standby is there", func() bool { return l.Capabilities().Has[link.CapStandby] })
	task, v := join(t, l)
	id, err := task.OpenPage(bound(t))
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the standby watches the page", func() bool { return task.StandbyWatches(id) })
	m.Handle("Target.attachToTarget", func(*cdptest.Request) cdptest.Reply {
		go proxy.Drop()
		return cdptest.NoReply
	})
	pop := m.Page(id).Top().OpenPopup("http://a.test/", true).TargetID()
	eventually(t, "the popup is set up", func() bool { return v.heard("ready " + pop) })
	eventually(t, "the task is told", func() bool { return v.heard("detached " + id) })
	if task.StandbyWatches(id) {
		t.Error("the standby is said to watch the page")
	}
}
