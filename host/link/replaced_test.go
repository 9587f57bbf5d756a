package link_test

import (
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/link"
)

// TestADiscardedPage: the target that is put in the place of a task's page is the
// task's, with a session, and nobody is told that the page is closed.
func TestADiscardedPage(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name      string
		userOwned bool
		open      func(t *testing.T, m *cdptest.Server, task *link.Member) string
	}{
		{"of the host's", false, func(t *testing.T, _ *cdptest.Server, task *link.Member) string {
			id, err := task.OpenPage(bound(t))
			if err != nil {
				t.Fatal(err)
			}
			return id
		}},
		{"of a user's", true, func(t *testing.T, m *cdptest.Server, task *link.Member) string {
			id := m.OpenPage("http://a.test/", "").TargetID()
			if err := task.Adopt(bound(t), id); err != nil {
				t.Fatal(err)
			}
			return id
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			m := cdptest.New(t, cdptest.Options{})
			s := spec(m.URL())
			s.UserOwned = tc.userOwned
			task, v := join(t, open(t, s, options(t)))
			id := tc.open(t, m, task)
			m.Page(id).Navigate("http://a.test/two")
			users := m.OpenPage("http://a.test/two", "").TargetID() // not the task's, with the same address
			eventually(t, "the address is known", func() bool { return v.heard("url " + id + " http://a.test/two") })
			by := m.Page(id).Discard().TargetID()
			eventually(t, "the other has a session", func() bool { return v.sessionOf(by) != "" && task.OwnsSession(v.sessionOf(by)) })
			eventually(t, "the old session ends", func() bool { return !task.OwnsTarget(id) })
			if !v.heard("replaced "+id+" by "+by) || v.heard("destroyed "+id) {
				t.Error("the task was not told, or told that its page is closed")
			}
			if !task.OwnsTarget(by) || task.OwnsTarget(users) {
				t.Error("the task owns what it does not, or lacks what it has")
			}
		})
	}
}
