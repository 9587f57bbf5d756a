package supervisor_test

import (
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/link"
	"cdphost/host/supervisor"
)

// TestBrowserSurvives is one round of survive; make test-extra has 200.
func TestBrowserSurvives(t *testing.T) {
	t.Parallel()
	survive(t, 2)
}

// survive does with an open dialog of an out-of-process iframe what takes a browser
// down when it is done carelessly, each thing so many times in a browser of its
// own.
func survive(t *testing.T, tries int) {
	t.Helper()
	site := framed(t)
	browser := cdptest.Chrome(t)
	r := ownRegistry(t, link.Options{JournalDir: t.TempDir()})
	for _, tc := range []struct {
		name string
		do   func(t *testing.T, s *supervisor.Supervisor, p *supervisor.Page)
	}{
		{"close the page", func(t *testing.T, s *supervisor.Supervisor, p *supervisor.Page) {
			if err := s.ClosePage(bound(t), p.TabID); err != nil {
				t.Fatal(err)
			}
		}},
		{"end the task", func(t *testing.T, s *supervisor.Supervisor, _ *supervisor.Page) {
			r.Stop(bound(t), s.Key())
		}},
		{"navigate", func(t *testing.T, s *supervisor.Supervisor, p *supervisor.Page) {
			call(t, s, p.SessionID, "Page.navigate", cdptest.M{"url": site.URL("a.test", "/leaf")})
			wait(t, s, p.TabID, "the other page", func(p *supervisor.Page) bool { return p.Title == "leaf" && p.BlockedBy == "" })
		}},
		{"the page removes the frame, then is closed", func(t *testing.T, s *supervisor.Supervisor, p *supervisor.Page) {
			removeFrame(t, s, p)
			if err := s.ClosePage(bound(t), p.TabID); err != nil {
				t.Fatal(err)
			}
		}},
		{"the page removes the frame, then the task ends", func(t *testing.T, s *supervisor.Supervisor, p *supervisor.Page) {
			removeFrame(t, s, p)
			r.Stop(bound(t), s.Key())
		}},
		{"the page removes the frame, then navigates and has a new dialog", func(t *testing.T, s *supervisor.Supervisor, p *supervisor.Page) {
			removeFrame(t, s, p)
			call(t, s, p.SessionID, "Page.navigate", cdptest.M{"url": site.URL("a.test", "/leaf")})
			wait(t, s, p.TabID, "the page to be watched again", func(p *supervisor.Page) bool { return !p.NeedsReload && p.URL == site.URL("a.test", "/leaf") })
			start(s, p.SessionID, `confirm("new")`)
			pending(t, s, dialog.Confirm)
			if _, err := s.AnswerDialog(bound(t), supervisor.DialogAnswer{Action: "accept", By: dialog.Agent}); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for try := range tries {
				s := taskOn(t, r, browser.WSURL, supervisor.Settings{})
				p := open(t, s, site.URL("a.test", "/"))
				frameID, session := frameAt(t, s, p.TabID, site.URL("b.test", "/"))
				s.Post(evaluate(session, contextOf(t, s, frameID), `confirm("in a frame")`), nil)
				pending(t, s, dialog.Confirm)
				tc.do(t, s, p)
				r.Forget(bound(t), s.Key())
				c, err := cdptest.Connect(bound(t), browser.WSURL)
				if err == nil {
					_, err = c.Call(bound(t), "", "Target.getTargets", nil)
					c.Close()
				}
				if err != nil {
					t.Fatalf("try %d: the browser is gone: %v; it said %s", try, err, browser.Stderr())
				}
			}
			open(t, taskOn(t, r, browser.WSURL, supervisor.Settings{}), site.URL("a.test", "/leaf")) // it works, too
		})
	}
}

func removeFrame(t *testing.T, s *supervisor.Supervisor, p *supervisor.Page) {
	t.Helper()
	call(t, s, p.SessionID, "Runtime.evaluate", cdptest.M{"expression": `document.getElementById("other").remove()`})
	wait(t, s, p.TabID, "the page to be marked", func(p *supervisor.Page) bool { return p.NeedsReload && p.BlockedBy == "" })
	if c, ok := s.Snapshot().Closed("d-1"); !ok || c.Reason != dialog.ReasonFrameGone {
		t.Errorf("closed = %+v", c)
	}
}
