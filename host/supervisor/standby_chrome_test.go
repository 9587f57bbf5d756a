package supervisor_test

import (
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/link"
	"cdphost/host/supervisor"
)

func TestStandbyAnswersWhatWasOpenAtADrop(t *testing.T) {
	t.Parallel()
	site := framed(t)
	r := ownRegistry(t, link.Options{})
	s := taskOn(t, r, cdptest.Chrome(t).WSURL, supervisor.Settings{})
	p := open(t, s, site.URL("a.test", "/leaf"))
	until(t, s, "the standby to follow the page", func(*supervisor.Snapshot) bool { return s.StandbyReady(p.TabID) })
	start(s, p.SessionID, `self.out=String(confirm("open"))`)
	d := pending(t, s, dialog.Confirm)
	s.Drop()
	q := wait(t, s, p.TabID, "the connection to be back", func(q *supervisor.Page) bool { return q.SessionID != "" && q.SessionID != p.SessionID })
	c, err := s.AnswerDialog(bound(t), supervisor.DialogAnswer{ID: d.ID, Action: "accept", By: dialog.Agent})
	if err != nil {
		t.Fatal(err)
	}
	if c.ClosedBy != dialog.Agent {
		t.Errorf("closed by %s", c.ClosedBy)
	}
	raw := call(t, s, q.SessionID, "Runtime.evaluate", cdptest.M{"expression": "self.out"})
	if got := cdptest.Field(raw, "result.value"); got != "true" {
		t.Errorf("the page saw %q", got)
	}
	// And what opens from now on is answered on the new connection.
	start(s, q.SessionID, `confirm("next")`)
	n := pending(t, s, dialog.Confirm)
	if n.SessionID != q.SessionID {
		t.Errorf("the next dialog is on session %s, want %s", n.SessionID, q.SessionID)
	}
}
