package supervisor_test

import (
	"strconv"
	"testing"
	"time"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/supervisor"
)

// TestDiscardedByAnExtension: a user's tab that a task has adopted is discarded while the
// task is attached, with a dialog open or not.
func TestDiscardedByAnExtension(t *testing.T) {
	t.Parallel()
	site := framed(t)
	browser := cdptest.DiscardingChrome(t)
	for _, tc := range []struct {
		name, asks string
		back       func(t *testing.T, s *supervisor.Supervisor, q *supervisor.Page)
	}{
		{"reloaded", "", func(t *testing.T, s *supervisor.Supervisor, q *supervisor.Page) {
			if err := s.Reload(bound(t), q.TabID); err != nil {
				t.Fatal(err)
			}
		}},
		{"navigated", `confirm("open")`, func(t *testing.T, s *supervisor.Supervisor, q *supervisor.Page) {
			call(t, s, q.SessionID, "Page.navigate", cdptest.M{"url": q.URL})
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := ownRegistry(t, quick(t))
			u := userOf(t, browser.WSURL, site.URL("a.test", "/"))
			u.Must(t, "", "Target.createTarget", cdptest.M{"url": "about:blank"}) // in front of it
			s := u.joins(t, r)
			frameAt(t, s, u.page.TabID, site.URL("c.test", "/"))
			p := wait(t, s, u.page.TabID, "its title", func(p *supervisor.Page) bool { return p.Title == "top" && p.LoadedLoader == p.LoaderID })
			if tc.asks != "" {
				start(s, p.SessionID, tc.asks)
				pending(t, s, dialog.Confirm)
			}
			browser.DiscardTab(t, p.URL)
			q := isDiscarded(t, s, p)
			if snap := s.Snapshot(); len(snap.Pending) != 0 || len(snap.Recent) > 0 && snap.Recent[0].ClosedBy != dialog.Remote {
				t.Errorf("pending %v, recent %v", snap.Pending, snap.Recent)
			}
			tc.back(t, s, q)
			isBack(t, s, q)
			frameAt(t, s, p.TabID, site.URL("c.test", "/"))
			r.Stop(bound(t), s.Key())
			if !pageTargets(t, u.Client)[q.TargetID] {
				t.Error("the user's tab was closed")
			}
			u.Must(t, "", "Target.closeTarget", cdptest.M{"targetId": q.TargetID})
		})
	}
}

// TestAdoptsADiscardedTab: nothing tells a tab that was discarded before it was adopted
// from one that a dialog holds, which is what the snapshot says; a reload brings it back.
func TestAdoptsADiscardedTab(t *testing.T) {
	t.Parallel()
	site := framed(t)
	browser := cdptest.DiscardingChrome(t)
	u := userOf(t, browser.WSURL, site.URL("a.test", "/leaf"))
	u.Must(t, "", "Target.createTarget", cdptest.M{"url": "about:blank"})
	u.Must(t, "", "Target.detachFromTarget", cdptest.M{"sessionId": u.session})
	mark := u.Mark()
	u.Must(t, "", "Target.setDiscoverTargets", cdptest.M{"discover": true})
	browser.DiscardTab(t, site.URL("a.test", "/leaf"))
	u.MustWait(t, mark, cdptest.Is("Target.targetDestroyed", "targetId", u.tab))
	for _, e := range u.Events(mark, cdptest.Is("Target.targetCreated", "targetInfo.type", "page", "targetInfo.url", site.URL("a.test", "/leaf"))) {
		u.tab = e.Get("targetInfo.targetId")
	}
	o := quick(t)
	o.SetupTimeout = 500 * time.Millisecond
	s := u.joins(t, ownRegistry(t, o))
	degraded(t, s, u.page.TabID+": its set-up gets no answer: a dialog that opened unseen may hold it, or the browser has discarded it; reload the page to free it")
	q, _ := s.Snapshot().Page(u.page.TabID)
	if err := s.Reload(bound(t), q.TabID); err != nil {
		t.Fatal(err)
	}
	isBack(t, s, q)
}

// TestDiscardedWhileDisconnectedOnChromium is TestDiscardedWhileDisconnected with the
// browser's own page of discards, which spares tabs that a client is attached to.
func TestDiscardedWhileDisconnectedOnChromium(t *testing.T) {
	t.Parallel()
	site := framed(t)
	browser := cdptest.Chrome(t)
	s, proxy, gate := gatedLine(t, carrier{ws: browser.WSURL}, quick(t))
	p := open(t, s, site.URL("a.test", "/leaf"))
	p = wait(t, s, p.TabID, "its title", func(q *supervisor.Page) bool { return q.Title == "leaf" })
	front := open(t, s, site.URL("a.test", "/same"))
	s.SetCurrent(p.TabID)
	user := cdptest.Dial(t, browser.WSURL)
	user.Must(t, "", "Target.activateTarget", cdptest.M{"targetId": front.TargetID})
	proxy.Drop()
	until(t, s, "the drop to be noticed", func(snap *supervisor.Snapshot) bool { return !snap.Connected })
	tab := cdptest.Field(user.Must(t, "", "Target.createTarget", cdptest.M{"url": "chrome://chrome-urls/"}), "targetId")
	session := attach(t, user, tab)
	user.Must(t, session, "Page.enable", nil)
	press(t, user, session, "document", "Enable internal debugging pages")
	mark := user.Mark()
	user.Must(t, session, "Page.navigate", cdptest.M{"url": "chrome://discards/"})
	user.MustWait(t, mark, cdptest.On(session, cdptest.Is("Page.loadEventFired")))
	user.Must(t, "", "Target.setDiscoverTargets", cdptest.M{"discover": true})
	press(t, user, session, `all(document,"tr").find(row=>row.innerText.includes("leaf")&&row.innerText.includes("Urgent"))`, "[Urgent Discard]")
	user.MustWait(t, mark, cdptest.Is("Target.targetDestroyed", "targetId", p.TargetID))
	close(gate)
	q := isDiscarded(t, s, p)
	if err := s.Reload(bound(t), q.TabID); err != nil {
		t.Fatal(err)
	}
	isBack(t, s, q)
}

// press clicks the innermost element with a text below the one that an expression names,
// in a page of the browser's own, when it is there.
func press(t *testing.T, c *cdptest.Client, session, below, text string) {
	t.Helper()
	raw := c.Must(t, session, "Runtime.evaluate", cdptest.M{"awaitPromise": true, "returnByValue": true, "expression": `(async()=>{
		const all=(root,sel,out=[])=>{for(const e of root.querySelectorAll("*")){if(e.matches(sel))out.push(e);if(e.shadowRoot)all(e.shadowRoot,sel,out)}return out}
		for(;;){
			const root=` + below + `
			const found=root?all(root,"*").filter(e=>e.textContent.trim()===` + strconv.Quote(text) + `):[]
			if(found.length){found.at(-1).click();return true}
			await new Promise(next=>setTimeout(next,50))
		}})()`})
	if cdptest.Field(raw, "result.value") != "true" {
		t.Fatalf("%s was not pressed: %s", text, raw)
	}
}
