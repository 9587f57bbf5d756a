package supervisor_test

import (
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/supervisor"
)

// user is somebody whose browser it is, with a tab.
type user struct {
	*cdptest.Client
	ws, tab, session string
	page             *supervisor.Page // the tab as a task that has adopted it sees it
}

func userOf(t *testing.T, ws, url string) *user {
	t.Helper()
	u := &user{Client: cdptest.Dial(t, ws), ws: ws}
	u.tab = cdptest.Field(u.Must(t, "", "Target.createTarget", cdptest.M{"url": "about:blank"}), "targetId")
	u.session = attach(t, u.Client, u.tab)
	u.Must(t, u.session, "Page.enable", nil)
	mark := u.Mark()
	u.Must(t, u.session, "Page.navigate", cdptest.M{"url": url})
	u.MustWait(t, mark, cdptest.On(u.session, cdptest.Is("Page.loadEventFired")))
	return u
}

// joins starts a task in the user's browser that adopts the user's tab.
func (u *user) joins(t *testing.T, r *supervisor.Registry) *supervisor.Supervisor {
	t.Helper()
	spec := cdpSpec(t, u.ws)
	spec.UserOwned = true
	s, err := r.GetOrStart(bound(t), supervisor.Key{TaskID: "joins"}, spec, supervisor.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if u.page, err = s.Adopt(bound(t), u.tab); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestUsersDialogStaysOpen: a dialog that is open on a user's tab when the task ends is
// still open then, and the user answers it.
func TestUsersDialogStaysOpen(t *testing.T) {
	t.Parallel()
	docs := documents{"a.test/": {Title: "top", Frames: []string{"http://b.test:{{port}}/"}}, "b.test/": {Title: "other"}}
	for _, tc := range []struct {
		name             string
		standby, inFrame bool
	}{
		{name: "alone"}, {name: "with a standby", standby: true}, {name: "of a frame of another process", standby: true, inFrame: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			onBothAlone(t, docs, func(t *testing.T, c carrier) {
				o := quick(t)
				o.NoStandby = !tc.standby
				r, user := ownRegistry(t, o), userOf(t, c.ws, c.url("a.test/"))
				s := user.joins(t, r)
				if tc.standby {
					eventually(t, "the standby watches the tab", func() bool { return s.StandbyReady(user.page.TabID) })
				}
				session := user.session
				if tc.inFrame {
					id, _ := frameAt(t, s, user.page.TabID, c.url("b.test/"))
					session = attach(t, user.Client, id)
				}
				mark := user.Mark()
				page := ask(user.Client, session, `confirm("the user's?")`)
				d := pending(t, s, dialog.Confirm)
				events := s.Subscribe(supervisor.Filter{Methods: []string{supervisor.HostDialogClosed}}, 8)
				r.Stop(bound(t), s.Key())
				user.Must(t, "", "Target.getTargets", nil) // what it told before is here
				if closed := user.Events(mark, cdptest.Is("Page.javascriptDialogClosed")); len(closed) != 0 {
					t.Errorf("the dialog was closed with the task: %s", closed[0].Params)
				}
				user.Must(t, user.session, "Page.handleJavaScriptDialog", cdptest.M{"accept": true})
				if v := got(t, page); v != "true" {
					t.Errorf("the page saw %q", v)
				}
				told := 0
				for ev := range events.C { // until the task has ended
					told++
					if cdptest.Field(ev.Params, "id") != d.ID || cdptest.Field(ev.Params, "reason") != dialog.ReasonLeft {
						t.Errorf("recorded as %s", ev.Params)
					}
				}
				if told != 1 {
					t.Errorf("its end was recorded %d times", told)
				}
			})
		})
	}
}
