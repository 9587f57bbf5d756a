package supervisor_test

import (
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/supervisor"
)

// framed is a site whose page holds a frame of its own process, an out-of-process
// one, and one nested in that.
func framed(t *testing.T) *cdptest.Pages {
	t.Helper()
	return cdptest.Site(t, cdptest.Hosts{
		"a.test": cdptest.Paths{
			"/":     `<title>top</title><iframe id=same src="/same"></iframe><iframe id=other src="http://b.test:{{port}}/"></iframe>`,
			"/same": `<title>same</title>`,
			"/leaf": `<title>leaf</title>`,
		},
		"b.test": cdptest.Paths{"/": `<title>other</title><iframe src="http://c.test:{{port}}/"></iframe>`},
		"c.test": cdptest.Paths{"/": `<title>nested</title>`},
	})
}

// frameAt returns the id and the session of the frame that shows url.
func frameAt(t *testing.T, s *supervisor.Supervisor, tab, url string) (id, session string) {
	t.Helper()
	wait(t, s, tab, "the frame "+url, func(p *supervisor.Page) bool {
		for f := range p.Frames.Frames() {
			own, ok := p.Frames.SessionOf(f.ID)
			if f.URL == url && ok && f.DefaultContext != "" {
				id, session = f.ID, own
				return true
			}
		}
		return false
	})
	return id, session
}

func contextOf(t *testing.T, s *supervisor.Supervisor, frameID string) string {
	t.Helper()
	_, f, ok := s.Snapshot().Frame(frameID)
	if !ok {
		t.Fatalf("no frame %s", frameID)
	}
	return f.DefaultContext
}

func TestDialogsOfEveryFrame(t *testing.T) {
	t.Parallel()
	site := framed(t)
	for _, tc := range []struct {
		name, url string
		oopif     bool
		kind      supervisor.FrameKind
	}{
		{"same process", site.URL("a.test", "/same"), false, supervisor.FrameSameProcess},
		{"out of process", site.URL("b.test", "/"), true, supervisor.FrameOOPIF},
		{"nested out of process", site.URL("c.test", "/"), true, supervisor.FrameOOPIF},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			policy := &recordingPolicy{verdict: dialog.Verdict{Do: dialog.DoHold}}
			s := task(t, supervisor.Settings{Policy: policy})
			p := open(t, s, site.URL("a.test", "/"))
			frameID, session := frameAt(t, s, p.TabID, tc.url)
			if (session != p.SessionID) != tc.oopif {
				t.Fatalf("session %s of the frame, %s of the page; oopif %v", session, p.SessionID, tc.oopif)
			}
			s.Post(evaluate(session, contextOf(t, s, frameID), `self.out=String(confirm("in a frame"))`), nil)
			d := pending(t, s, dialog.Confirm)
			if d.FrameID != frameID || d.SessionID != p.SessionID || d.URL != tc.url {
				t.Errorf("dialog = %+v; want frame %s, session %s", d, frameID, p.SessionID)
			}
			if _, err := s.AnswerDialog(bound(t), supervisor.DialogAnswer{Action: "accept", By: dialog.Agent}); err != nil {
				t.Fatal(err)
			}
			raw, err := s.Call(bound(t), evaluate(session, contextOf(t, s, frameID), "self.out"))
			if err != nil {
				t.Fatal(err)
			}
			if got := cdptest.Field(raw, "result.value"); got != "true" {
				t.Errorf("the frame saw %q", got)
			}
			if got := policy.last().FrameKind; got != tc.kind {
				t.Errorf("the policy was told %q, want %q", got, tc.kind)
			}
		})
	}
}

func TestTwoProcessesOfOneTab(t *testing.T) {
	t.Parallel()
	site := framed(t)
	s := task(t, supervisor.Settings{})
	p := open(t, s, site.URL("a.test", "/"))
	frameID, session := frameAt(t, s, p.TabID, site.URL("b.test", "/"))
	start(s, p.SessionID, `confirm("first")`)
	first := pending(t, s, dialog.Confirm)
	s.Post(evaluate(session, contextOf(t, s, frameID), `prompt("second")`), nil)
	snap := until(t, s, "the second dialog", func(snap *supervisor.Snapshot) bool {
		_, closed := snap.Closed(first.ID)
		return closed && len(snap.Pending) == 1 && snap.Pending[0].Type == dialog.Prompt
	})
	c, _ := snap.Closed(first.ID)
	if c.ClosedBy != dialog.Remote || c.Reason != dialog.ReasonSuperseded {
		t.Errorf("the first was closed by %s, %s", c.ClosedBy, c.Reason)
	}
	if got := snap.Pending[0].State; got != dialog.Orphaned {
		t.Errorf("the second is %s, want %s", got, dialog.Orphaned)
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
}
