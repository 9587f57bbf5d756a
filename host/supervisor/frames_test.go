package supervisor_test

import (
	"encoding/json"
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/supervisor"
)

// asksIn is asks in a frame.
func asksIn(t *testing.T, s *supervisor.Supervisor, session, frameID, expression string) <-chan cdptest.Answer {
	t.Helper()
	answer := make(chan cdptest.Answer, 1)
	s.Post(evaluate(session, contextOf(t, s, frameID), expression), func(result json.RawMessage, err error) {
		answer <- cdptest.Answer{Result: result, Err: err}
	})
	return answer
}

func TestDialogsOfEveryFrame(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, url string
		oopif     bool
		kind      supervisor.FrameKind
	}{
		{"same process", "a.test/same", false, supervisor.FrameSameProcess},
		{"out of process", "b.test/", true, supervisor.FrameOOPIF},
		{"nested out of process", "c.test/", true, supervisor.FrameOOPIF},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			onBoth(t, framedPages, func(t *testing.T, c carrier) {
				policy := &recordingPolicy{verdict: dialog.Verdict{Do: dialog.DoHold}}
				s := c.task(t, supervisor.Settings{Policy: policy})
				p := open(t, s, c.url("a.test/"))
				frameID, session := frameAt(t, s, p.TabID, c.url(tc.url))
				if (session != p.SessionID) != tc.oopif {
					t.Fatalf("session %s of the frame, %s of the page; oopif %v", session, p.SessionID, tc.oopif)
				}
				page := asksIn(t, s, session, frameID, `confirm("in a frame")`)
				d := pending(t, s, dialog.Confirm)
				if d.FrameID != frameID || d.SessionID != p.SessionID || d.URL != c.url(tc.url) {
					t.Errorf("dialog = %+v; want frame %s, session %s", d, frameID, p.SessionID)
				}
				answer(t, s, supervisor.DialogAnswer{Action: "accept"})
				if v := got(t, page); v != "true" {
					t.Errorf("the frame saw %q", v)
				}
				if k := policy.last().FrameKind; k != tc.kind {
					t.Errorf("the policy was told %q, want %q", k, tc.kind)
				}
			})
		})
	}
}

func TestTwoProcessesOfOneTab(t *testing.T) {
	t.Parallel()
	onBoth(t, framedPages, func(t *testing.T, c carrier) {
		s := c.task(t, supervisor.Settings{})
		p := open(t, s, c.url("a.test/"))
		frameID, session := frameAt(t, s, p.TabID, c.url("b.test/"))
		start(s, p.SessionID, `confirm("first")`)
		first := pending(t, s, dialog.Confirm)
		asksIn(t, s, session, frameID, `prompt("second")`)
		snap := until(t, s, "the second dialog", func(snap *supervisor.Snapshot) bool {
			_, closed := snap.Closed(first.ID)
			return closed && len(snap.Pending) == 1 && snap.Pending[0].Type == dialog.Prompt
		})
		x, _ := snap.Closed(first.ID)
		if x.ClosedBy != dialog.Remote || x.Reason != dialog.ReasonSuperseded {
			t.Errorf("the first was closed by %s, %s", x.ClosedBy, x.Reason)
		}
		if state := snap.Pending[0].State; state != dialog.Orphaned {
			t.Errorf("the second is %s, want %s", state, dialog.Orphaned)
		}
		// Only a navigation frees it.
		if err := s.Reload(bound(t), p.TabID); err != nil {
			t.Fatal(err)
		}
		until(t, s, "the page to be free", func(snap *supervisor.Snapshot) bool {
			_, blocked := snap.Blocked(p.TabID)
			return !blocked && len(snap.Pending) == 0
		})
		call(t, s, p.SessionID, "Runtime.evaluate", cdptest.M{"expression": "1"})
	})
}
