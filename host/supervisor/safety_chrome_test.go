package supervisor_test

import (
	"testing"
	"time"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/link"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
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
				if lives(t, browser); t.Failed() {
					t.Fatalf("in try %d", try)
				}
			}
			open(t, taskOn(t, r, browser.WSURL, supervisor.Settings{}), site.URL("a.test", "/leaf")) // it works, too
		})
	}
}

// TestBrowserSurvivesADocumentThatAsksWhileItIsLeft: nobody can answer such a dialog,
// and the end of a session, or of its Page domain, would take the browser down.
func TestBrowserSurvivesADocumentThatAsksWhileItIsLeft(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{
		"/":     `<title>asks</title><script>addEventListener("pagehide",()=>confirm("while it is left"))</script>`,
		"/next": "<title>next</title>",
	}})
	browser := cdptest.Chrome(t)
	r := ownRegistry(t, link.Options{JournalDir: t.TempDir()})
	refused := func(t *testing.T, s *supervisor.Supervisor) {
		t.Helper()
		_, err := s.AnswerDialog(bound(t), supervisor.DialogAnswer{Action: "accept", By: dialog.Agent})
		if fault.CodeOf(err) != fault.DialogOrphaned {
			t.Errorf("answering: %v, want %s", err, fault.DialogOrphaned)
		}
	}
	closed := func(t *testing.T, s *supervisor.Supervisor, p *supervisor.Page) {
		t.Helper()
		if err := s.ClosePage(bound(t), p.TabID); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		name string
		do   func(t *testing.T, s *supervisor.Supervisor, p *supervisor.Page)
	}{
		{"close the page", closed},
		{"answer, then close the page", func(t *testing.T, s *supervisor.Supervisor, p *supervisor.Page) {
			refused(t, s)
			closed(t, s, p)
		}},
		{"end the task", func(t *testing.T, s *supervisor.Supervisor, _ *supervisor.Page) { r.Stop(bound(t), s.Key()) }},
		{"answer, then end the task", func(t *testing.T, s *supervisor.Supervisor, _ *supervisor.Page) {
			refused(t, s)
			r.Stop(bound(t), s.Key())
		}},
		{"the watchdog", func(t *testing.T, s *supervisor.Supervisor, p *supervisor.Page) {
			s.Configure(supervisor.Settings{Policy: &recordingPolicy{verdict: dialog.Verdict{Do: dialog.DoHold, Timeout: time.Millisecond}}})
			wait(t, s, p.TabID, "the page to go on", func(p *supervisor.Page) bool { return p.Title == "next" && p.BlockedBy == "" })
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for range 2 {
				s := taskOn(t, r, browser.WSURL, supervisor.Settings{})
				p := open(t, s, site.URL("a.test", "/"))
				start(s, p.SessionID, `location.href="/next"`)
				pending(t, s, dialog.Confirm)
				tc.do(t, s, p)
				r.Forget(bound(t), s.Key())
				lives(t, browser)
			}
		})
	}
	t.Run("on a user's tab, end the task", func(t *testing.T) {
		for range 2 {
			u := userOf(t, browser.WSURL, site.URL("a.test", "/"))
			s := u.joins(t, r)
			u.Must(t, u.session, "Page.disable", nil) // else the end of this session is the danger
			start(s, u.page.SessionID, `location.href="/next"`)
			pending(t, s, dialog.Confirm)
			r.Stop(bound(t), s.Key())
			lives(t, browser)
			eventually(t, "the tab goes on to where it was going", func() bool {
				return cdptest.Field(u.Must(t, "", "Target.getTargetInfo", cdptest.M{"targetId": u.tab}), "targetInfo.url") == site.URL("a.test", "/next")
			})
		}
	})
}

func lives(t *testing.T, browser *cdptest.Browser) {
	t.Helper()
	c, err := cdptest.Connect(bound(t), browser.WSURL)
	if err == nil {
		_, err = c.Call(bound(t), "", "Target.getTargets", nil)
		c.Close()
	}
	if err != nil {
		t.Fatalf("the browser is gone: %v; it said %s", err, browser.Stderr())
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
