package supervisor_test

import (
	"context"
	"errors"
	"testing"

	"cdphost/host/cdp"
	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/supervisor"
)

// TestPageWithoutSessions: a page that belongs to nobody works on, unpaused and
// unattached, beside a root-attached link.
func TestPageWithoutSessions(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{"/": "<title>one</title>", "/pop": "<title>pop</title>"}})
	s := task(t, supervisor.Settings{})
	open(t, s, site.URL("a.test", "/"))
	user := cdptest.NewContext(t, cdptest.SharedChrome(t))
	tab := user.NewTab(t)
	tab.Navigate(t, site.URL("a.test", "/"))
	for _, features := range []string{"", "noopener"} {
		mark := user.Mark()
		user.Must(t, "", "Target.setDiscoverTargets", cdptest.M{"discover": true})
		tab.Do(t, "Runtime.evaluate", cdptest.M{"expression": `window.open("/pop","_blank","` + features + `"),1`, "userGesture": true})
		pop := user.MustWait(t, mark, cdptest.Is("Target.targetInfoChanged", "targetInfo.url", site.URL("a.test", "/pop"), "targetInfo.browserContextId", user.ContextID))
		session := attach(t, user.Client, pop.Get("targetInfo.targetId"))
		if got := cdptest.Field(user.Must(t, session, "Runtime.evaluate", cdptest.M{"expression": "1+1"}), "result.value"); got != "2" {
			t.Errorf("the popup says %q", got)
		}
	}
	if n := len(s.Snapshot().Pages); n != 1 {
		t.Errorf("the task sees %d pages, want 1", n)
	}
}

func TestCrashedPage(t *testing.T) {
	t.Parallel()
	site := framed(t)
	r := ownRegistry(t, quick(t))
	s := taskOn(t, r, cdptest.Chrome(t).WSURL, supervisor.Settings{})
	p := open(t, s, site.URL("a.test", "/"))
	frameID, session := frameAt(t, s, p.TabID, site.URL("b.test", "/"))
	hang := func(session string) chan error {
		ended := make(chan error, 1)
		go func() {
			_, err := s.Call(context.Background(), cdp.Command{SessionID: session, Method: "Runtime.evaluate",
				Params: cdp.Marshal(cdptest.M{"expression": "new Promise(()=>{})", "awaitPromise": true})})
			ended <- err
		}()
		call(t, s, session, "Runtime.evaluate", cdptest.M{"expression": "1"})
		return ended
	}
	// First an out-of-process frame: the page lives on.
	ended := hang(session)
	s.Post(cdp.Command{SessionID: session, Method: "Page.crash"}, nil)
	if err := <-ended; !errors.Is(err, cdp.ErrSessionGone) {
		t.Errorf("a call in flight on the frame: %v, want %v", err, cdp.ErrSessionGone)
	}
	wait(t, s, p.TabID, "the frame to be marked", func(p *supervisor.Page) bool {
		f, ok := p.Frames.Lookup(frameID)
		return ok && f.Crashed && !p.Crashed
	})
	call(t, s, p.SessionID, "Runtime.evaluate", cdptest.M{"expression": "1"})
	// Then the page itself, with a dialog open.
	start(s, p.SessionID, `confirm("?")`)
	d := pending(t, s, dialog.Confirm)
	ended = make(chan error, 1)
	go func() {
		_, err := s.Call(context.Background(), evaluate(p.SessionID, "", "1"))
		ended <- err
	}()
	call(t, s, p.SessionID, "Page.getNavigationHistory", cdptest.M{})
	s.Post(cdp.Command{SessionID: p.SessionID, Method: "Page.crash"}, nil)
	if err := <-ended; !errors.Is(err, cdp.ErrSessionGone) {
		t.Errorf("a call in flight on the page: %v, want %v", err, cdp.ErrSessionGone)
	}
	q := wait(t, s, p.TabID, "the page to be marked", func(p *supervisor.Page) bool { return p.Crashed })
	snap := s.Snapshot()
	if c, ok := snap.Closed(d.ID); !ok || len(snap.Pending) != 0 || q.BlockedBy != "" {
		t.Errorf("the dialog: %+v, pending %v", c, snap.Pending)
	}
	// A reload revives it.
	if err := s.Reload(bound(t), p.TabID); err != nil {
		t.Fatal(err)
	}
	q = wait(t, s, p.TabID, "the page to be back", func(p *supervisor.Page) bool { return !p.Crashed && p.LoadedLoader == p.LoaderID })
	call(t, s, q.SessionID, "Runtime.evaluate", cdptest.M{"expression": "1"})
	frameAt(t, s, p.TabID, site.URL("c.test", "/"))
}

// TestDocumentsReplaceEachOther: across processes, out of the back-forward cache
// and out of a prerender, the page keeps its tab id and a session that works, and
// the snapshot shows the document that is shown.
func TestDocumentsReplaceEachOther(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{
		"a.test": cdptest.Paths{
			"/":         `<title>a</title><iframe src="http://c.test:{{port}}/"></iframe>`,
			"/pre":      `<title>pre</title><script type="speculationrules">{"prerender":[{"urls":["/shown"],"eagerness":"immediate"}]}</script><a id=l href="/shown">x</a>`,
			"/shown":    `<title>shown</title><script>self.was=document.prerendering</script>`,
			"/other":    `<title>other</title>`,
			"/another/": `<title>another</title>`,
		},
		"b.test": cdptest.Paths{"/": `<title>b</title>`},
		"c.test": cdptest.Paths{"/": `<title>c</title>`},
	})
	usable := func(t *testing.T, s *supervisor.Supervisor, tab string) {
		t.Helper()
		p, _ := s.Snapshot().Page(tab)
		start(s, p.SessionID, `self.out=String(confirm("?"))`)
		if d := pending(t, s, dialog.Confirm); d.TabID != tab {
			t.Errorf("the dialog is on %s", d.TabID)
		}
		answer(t, s, supervisor.DialogAnswer{Action: "accept"})
		if got := cdptest.Field(call(t, s, p.SessionID, "Runtime.evaluate", cdptest.M{"expression": "self.out"}), "result.value"); got != "true" {
			t.Errorf("the page saw %q", got)
		}
	}
	shows := func(t *testing.T, s *supervisor.Supervisor, tab, title string) *supervisor.Page {
		t.Helper()
		return wait(t, s, tab, "the page "+title, func(p *supervisor.Page) bool { return p.Title == title && !p.Loading })
	}
	t.Run("across processes", func(t *testing.T) {
		t.Parallel()
		s := task(t, supervisor.Settings{})
		p := open(t, s, site.URL("a.test", "/"))
		start(s, p.SessionID, `location.href="`+site.URL("b.test", "/")+`"`)
		q := shows(t, s, p.TabID, "b")
		if q.SessionID != p.SessionID || q.TargetID != p.TargetID || q.LoaderID == p.LoaderID || q.Frames.Len() != 1 {
			t.Errorf("page = %+v, was %+v; %d frames", q, p, q.Frames.Len())
		}
		usable(t, s, p.TabID)
	})
	t.Run("back-forward cache", func(t *testing.T) {
		t.Parallel()
		s := task(t, supervisor.Settings{})
		p := open(t, s, site.URL("a.test", "/"))
		frameAt(t, s, p.TabID, site.URL("c.test", "/"))
		call(t, s, p.SessionID, "Runtime.evaluate", cdptest.M{"expression": "self.mark=1"})
		call(t, s, p.SessionID, "Page.navigate", cdptest.M{"url": site.URL("b.test", "/")})
		shows(t, s, p.TabID, "b")
		start(s, p.SessionID, "history.back()")
		wait(t, s, p.TabID, "the page to be back", func(q *supervisor.Page) bool { return q.URL == p.URL })
		frameAt(t, s, p.TabID, site.URL("c.test", "/"))
		usable(t, s, p.TabID)
	})
	t.Run("prerender", func(t *testing.T) {
		t.Parallel()
		s := task(t, supervisor.Settings{})
		p := open(t, s, site.URL("a.test", "/pre"))
		start(s, p.SessionID, `document.getElementById("l").click()`)
		q := shows(t, s, p.TabID, "shown")
		if q.Prerender {
			t.Error("a page that is shown is called a prerender")
		}
		usable(t, s, p.TabID)
		for _, other := range s.Snapshot().Pages {
			if other.TabID != p.TabID && !other.Prerender {
				t.Errorf("another page: %+v", other)
			}
		}
	})
}
