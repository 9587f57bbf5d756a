package link_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"cdphost/host/cdp"
	"cdphost/host/cdp/cdptest"
	"cdphost/sdk/fault"
)

// TestTargetsOfNobody: they are released, then detached, in this order, and
// nothing else is sent to them.
func TestTargetsOfNobody(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		make func(m *cdptest.Server) *cdptest.Page
	}{
		{"a page of a user", func(m *cdptest.Server) *cdptest.Page { return m.OpenPage("http://a.test/", "") }},
		{"a page of the browser", func(m *cdptest.Server) *cdptest.Page { return m.OpenPage("chrome://settings/", "") }},
		{"a popup of a user's page", func(m *cdptest.Server) *cdptest.Page {
			return m.OpenPage("http://a.test/", "").Top().OpenPopup("http://a.test/pop", false)
		}},
		{"a popup of it without opener", func(m *cdptest.Server) *cdptest.Page {
			return m.OpenPage("http://a.test/", "").Top().OpenPopup("http://a.test/pop", true)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			m := cdptest.New(t, cdptest.Options{Empty: true})
			l := open(t, spec(m.URL()), options(t))
			_, v := join(t, l)
			page := tc.make(m)
			eventually(t, "the page runs and is let go", func() bool { return !page.Paused() && len(page.Sessions()) == 0 })
			sent := m.Sent("")
			session := ""
			for i, r := range sent {
				if r.SessionID == "" || r.SessionID == session {
					continue
				}
				session = r.SessionID
				if r.Method != "Runtime.runIfWaitingForDebugger" {
					t.Errorf("%s was sent first to a page of nobody", r.Method)
				}
				if i+1 == len(sent) || sent[i+1].Method != "Target.detachFromTarget" || sent[i+1].Get("sessionId") != session {
					t.Errorf("the release is not followed by the detach: %v", sent[i+1:])
				}
			}
			if v.heard("attached " + page.TargetID()) {
				t.Error("a task was told of it")
			}
		})
	}
}

// TestAPageWithoutASession: somebody else detaches the link's session from a
// task's page. The page lives, and gets a session again.
func TestAPageWithoutASession(t *testing.T) {
	t.Parallel()
	m := cdptest.New(t, cdptest.Options{})
	l := open(t, spec(m.URL()), options(t))
	task, v := join(t, l)
	id, err := task.OpenPage(bound(t))
	if err != nil {
		t.Fatal(err)
	}
	first := v.sessionOf(id)
	if _, err := task.Call(bound(t), cdp.Command{Method: "Target.detachFromTarget", Params: cdp.Marshal(cdptest.M{"sessionId": first})}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "another session", func() bool {
		s := m.Page(id).Sessions()
		return len(s) == 1 && s[0] != first && task.OwnsSession(s[0])
	})
	if !v.heard("detached " + id) {
		t.Error("the task was not told")
	}
	if v.heard("destroyed " + id) {
		t.Error("the task was told that the page is closed")
	}
	_, err = task.Call(bound(t), cdp.Command{SessionID: first, Method: "Runtime.evaluate"})
	if fault.CodeOf(err) != fault.SessionNotFound {
		t.Errorf("the old session: %v, want %s", err, fault.SessionNotFound)
	}
}

// TestACrash fails the calls on the page's session at once: the browser never
// answers them.
func TestACrash(t *testing.T) {
	t.Parallel()
	m := cdptest.New(t, cdptest.Options{})
	l := open(t, spec(m.URL()), options(t))
	task, v := join(t, l)
	id, err := task.OpenPage(bound(t))
	if err != nil {
		t.Fatal(err)
	}
	m.Hang("DOM.getDocument")
	ended := make(chan error, 1)
	go func() {
		_, err := task.Call(context.Background(), cdp.Command{SessionID: v.sessionOf(id), Method: "DOM.getDocument"})
		ended <- err
	}()
	m.MustReceive(t, "DOM.getDocument", 1)
	m.Page(id).Crash()
	if err := <-ended; !errors.Is(err, cdp.ErrSessionGone) {
		t.Errorf("the call in flight: %v, want %v", err, cdp.ErrSessionGone)
	}
	eventually(t, "the task is told", func() bool { return v.heard("crashed " + id) })
	if v.heard("destroyed " + id) {
		t.Error("a crashed page is not closed")
	}
}

// TestTasksAreApart: what one task has is no other's.
func TestTasksAreApart(t *testing.T) {
	t.Parallel()
	m := cdptest.New(t, cdptest.Options{})
	l := open(t, spec(m.URL()), options(t))
	a, av := join(t, l)
	b, bv := join(t, l)
	id, err := a.OpenPage(bound(t))
	if err != nil {
		t.Fatal(err)
	}
	pop := m.Page(id).Top().OpenPopup("http://a.test/", true)
	eventually(t, "the popup is set up", func() bool { return av.heard("ready " + pop.TargetID()) })
	session := av.sessionOf(id)
	for name, err := range map[string]error{
		"a call": func() error {
			_, err := b.Call(bound(t), cdp.Command{SessionID: session, Method: "Runtime.evaluate"})
			return err
		}(),
		"a pinned call of a gone epoch": func() error {
			_, err := a.CallAt(bound(t), 99, cdp.Command{SessionID: session, Method: "Runtime.evaluate"})
			return err
		}(),
		"adopting": b.Adopt(bound(t), id),
	} {
		want := map[string]fault.Code{"a call": fault.SessionNotFound, "a pinned call of a gone epoch": fault.CaptureInvalid, "adopting": fault.NotYours}[name]
		if fault.CodeOf(err) != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	if b.OwnsTarget(id) || b.OwnsTarget(pop.TargetID()) || b.OwnsSession(session) || bv.heard("attached "+pop.TargetID()) {
		t.Error("the other task has what is not its own")
	}
	posted := make(chan error, 1)
	b.Post([]cdp.Command{{SessionID: session, Method: "Page.disable"}}, func(_ int, _ json.RawMessage, err error) { posted <- err })
	if err := <-posted; fault.CodeOf(err) != fault.SessionNotFound {
		t.Errorf("a post: %v", err)
	}
	if n := len(m.Sent("Page.disable")); n != 0 {
		t.Error("it was sent")
	}
}

// TestAdoptErrors: what can't be adopted is named, and nothing of it is touched.
func TestAdoptErrors(t *testing.T) {
	t.Parallel()
	m := cdptest.New(t, cdptest.Options{})
	s := spec(m.URL())
	s.UserOwned = true
	l := open(t, s, options(t))
	task, _ := join(t, l)
	internal := m.OpenPage("chrome://settings/", "")
	var ui string
	c := cdptest.Dial(t, m.URL())
	var infos struct {
		TargetInfos []struct{ TargetID, Type string }
	}
	if err := json.Unmarshal(c.Must(t, "", "Target.getTargets", nil), &infos); err != nil {
		t.Fatal(err)
	}
	for _, info := range infos.TargetInfos {
		if info.Type == "browser_ui" {
			ui = info.TargetID
		}
	}
	for _, tc := range []struct {
		name, id string
		code     fault.Code
	}{
		{"no such tab", "NONE", fault.TabNotFound},
		{"the browser's own page", internal.TargetID(), fault.SchemeBlocked},
		{"no page at all", ui, fault.TabNotFound},
	} {
		if err := task.Adopt(bound(t), tc.id); fault.CodeOf(err) != tc.code {
			t.Errorf("%s: %v, want %s", tc.name, err, tc.code)
		}
	}
	if n := len(m.Sent("Target.attachToTarget")); n != 0 {
		t.Errorf("%d attachments", n)
	}
}

// TestAUsersBrowserIsNeverAttachedAsAWhole: the link hears of targets, and is
// attached only to what tasks have.
func TestAUsersBrowserIsNeverAttachedAsAWhole(t *testing.T) {
	t.Parallel()
	m := cdptest.New(t, cdptest.Options{})
	s := spec(m.URL())
	s.UserOwned = true
	l := open(t, s, options(t))
	task, v := join(t, l)
	users := m.OpenPage("http://user.test/", "")
	adopted := m.OpenPage("http://a.test/", "")
	if err := task.Adopt(bound(t), adopted.TargetID()); err != nil {
		t.Fatal(err)
	}
	own, err := task.OpenPage(bound(t))
	if err != nil {
		t.Fatal(err)
	}
	pop := adopted.Top().OpenPopup("http://a.test/pop", false)
	eventually(t, "the popup is the task's", func() bool { return v.heard("ready " + pop.TargetID()) })
	task.Leave(bound(t), []string{own})
	eventually(t, "the task's own tab is closed", func() bool { return m.Page(own) == nil })
	for name, p := range map[string]*cdptest.Page{"the user's": users, "the adopted": adopted, "the adopted one's popup": pop} {
		if m.Page(p.TargetID()) == nil {
			t.Errorf("%s page was closed", name)
			continue
		}
		eventually(t, name+" page is let go", func() bool { return len(p.Sessions()) == 0 })
	}
	for _, r := range m.Sent("") {
		switch {
		case r.Method == "Target.setAutoAttach" && r.SessionID == "",
			r.Method == "Target.createBrowserContext", r.Method == "Target.activateTarget", r.Method == "Page.bringToFront",
			r.Method == "Target.attachToTarget" && r.Get("targetId") == users.TargetID():
			t.Errorf("%s %s was sent in a user's browser", r.Method, r.Params)
		}
	}
}

// TestStandbyLeavesWithTheTask: the standby of a link that others go on using
// keeps no session on a page whose task has left.
func TestStandbyLeavesWithTheTask(t *testing.T) {
	t.Parallel()
	m := cdptest.New(t, cdptest.Options{})
	s := spec(m.URL())
	s.UserOwned = true
	o := options(t)
	o.NoStandby = false
	l := open(t, s, o)
	task, _ := join(t, l)
	join(t, l)
	adopted := m.OpenPage("http://a.test/", "")
	if err := task.Adopt(bound(t), adopted.TargetID()); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the standby follows", func() bool { return task.StandbyWatches(adopted.TargetID()) })
	task.Leave(bound(t), nil)
	eventually(t, "nobody is attached", func() bool { return len(adopted.Sessions()) == 0 })
}
