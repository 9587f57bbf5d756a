package supervisor_test

import (
	"strings"
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// TestUsersBrowser joins a browser in which a user, a second raw client, has tabs
// of their own.
func TestUsersBrowser(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{
		"/": "<title>one</title>", "/pop": "<title>pop</title>", "/user": "<title>the user's</title>",
	}})
	browser := cdptest.Chrome(t)
	user := cdptest.Dial(t, browser.WSURL)
	tab := func(path string) (target, session string) {
		target = cdptest.Field(user.Must(t, "", "Target.createTarget", cdptest.M{"url": "about:blank"}), "targetId")
		session = attach(t, user, target)
		user.Must(t, session, "Page.enable", nil)
		mark := user.Mark()
		user.Must(t, session, "Page.navigate", cdptest.M{"url": site.URL("a.test", path)})
		user.MustWait(t, mark, cdptest.On(session, cdptest.Is("Page.loadEventFired")))
		return target, session
	}
	private, privateSession := tab("/user")
	shared, sharedSession := tab("/")
	user.Must(t, "", "Target.setDiscoverTargets", cdptest.M{"discover": true})
	user.Must(t, "", "Target.activateTarget", cdptest.M{"targetId": private})

	r := ownRegistry(t, quick(t))
	spec := cdpSpec(t, browser.WSURL)
	spec.UserOwned = true
	s, err := r.GetOrStart(bound(t), supervisor.Key{TaskID: "joins"}, spec, supervisor.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	adopted, err := s.Adopt(bound(t), shared)
	if err != nil {
		t.Fatal(err)
	}
	if adopted.URL != site.URL("a.test", "/") || s.Snapshot().Current != adopted.TabID {
		t.Errorf("adopted = %+v, current %s", adopted, s.Snapshot().Current)
	}
	if _, err := s.Adopt(bound(t), "NONE"); fault.CodeOf(err) != fault.TabNotFound {
		t.Errorf("adopting nothing: %v", err)
	}
	own := open(t, s, site.URL("b.test", "/"))
	visible := user.Must(t, privateSession, "Runtime.evaluate", cdptest.M{"expression": "document.visibilityState"})
	if cdptest.Field(visible, "result.value") != "visible" {
		t.Errorf("the user's tab is %s, want that it stays in front", visible)
	}

	// What the adopted page opens is the task's, of both kinds.
	for _, features := range []string{"", "noopener"} {
		before := len(s.Snapshot().Pages)
		start(s, adopted.SessionID, `window.open("/pop","_blank","`+features+`")`)
		snap := until(t, s, "the popup "+features, func(snap *supervisor.Snapshot) bool {
			return len(snap.Pages) == before+1 && snap.Pages[before].Title == "pop"
		})
		if p := snap.Pages[before]; p.OpenerTab != adopted.TabID {
			t.Errorf("popup = %+v", p)
		}
	}
	start(s, adopted.SessionID, `self.out=String(confirm("of the adopted"))`)
	pending(t, s, dialog.Confirm)
	answer(t, s, supervisor.DialogAnswer{Action: "accept"})

	// What the user opens is not, and runs.
	for _, expression := range []string{`window.open("/user?1"),1`, `window.open("/user?2","_blank","noopener"),1`} {
		mark := user.Mark()
		user.Must(t, privateSession, "Runtime.evaluate", cdptest.M{"expression": expression, "userGesture": true})
		user.MustWait(t, mark, func(e cdptest.Event) bool {
			return e.Method == "Target.targetInfoChanged" && strings.Contains(e.Get("targetInfo.url"), "/user?")
		})
	}
	tab("/user")
	// A dialog of the user's is the user's to answer, and the task does not see it.
	mark := user.Mark()
	user.Send(cdptest.Command{SessionID: privateSession, Method: "Runtime.evaluate", Params: cdptest.M{"expression": `self.out=confirm("mine")`}})
	user.MustWait(t, mark, cdptest.On(privateSession, cdptest.Is("Page.javascriptDialogOpening")))
	if n := len(s.Snapshot().Pending); n != 0 {
		t.Errorf("the task sees %d dialogs", n)
	}
	user.Must(t, privateSession, "Page.handleJavaScriptDialog", cdptest.M{"accept": true})
	if n := len(s.Snapshot().Pages); n != 4 {
		t.Errorf("the task sees %d pages, want the adopted, its own and two popups", n)
	}
	got := user.Must(t, privateSession, "Runtime.evaluate", cdptest.M{"expression": "String(self.out)"})
	if cdptest.Field(got, "result.value") != "true" {
		t.Errorf("the user's tab has %s for an answer", got)
	}

	// Leaving takes only what the task made.
	before := pageTargets(t, user)
	mark = user.Mark()
	r.Stop(bound(t), s.Key())
	user.MustWait(t, mark, cdptest.Is("Target.targetDestroyed", "targetId", own.TargetID))
	after := pageTargets(t, user)
	if len(after) != len(before)-1 || after[own.TargetID] || !after[shared] || !after[private] {
		t.Errorf("pages before %v, after %v; the task's own was %s", before, after, own.TargetID)
	}
	got = user.Must(t, sharedSession, "Runtime.evaluate", cdptest.M{"expression": "String(self.out)"})
	if cdptest.Field(got, "result.value") != "true" {
		t.Errorf("the adopted tab says %q", got)
	}
}

func pageTargets(t *testing.T, c *cdptest.Client) map[string]bool {
	t.Helper()
	return idsOf(c.Must(t, "", "Target.getTargets", cdptest.M{"filter": []cdptest.M{{"type": "page"}}}))
}
