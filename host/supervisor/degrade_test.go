package supervisor_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/link"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// degraded waits until the snapshot says that something does not work.
func degraded(t *testing.T, s *supervisor.Supervisor, word string) {
	t.Helper()
	until(t, s, "the snapshot to say "+word, func(snap *supervisor.Snapshot) bool {
		return slices.ContainsFunc(snap.Backend.Degraded, func(d string) bool { return strings.Contains(d, word) })
	})
}

func TestWhatABrowserRefusesIsDoneWithout(t *testing.T) {
	t.Parallel()
	refusal := &cdptest.Error{Code: -32601, Message: "'X' wasn't found"}
	for _, tc := range []struct {
		method     string
		capability string // that the snapshot denies; "" for a step of the set-up
		says       string
	}{
		{"Target.setAutoAttach", link.CapRootAttach, "Target.setAutoAttach"},
		{"Target.setDiscoverTargets", link.CapDiscover, "Target.setDiscoverTargets"},
		{"Target.createBrowserContext", link.CapContexts, "tasks share cookies and storage"},
		{"Runtime.enable", "", "Runtime.enable is refused"},
		{"Page.getFrameTree", "", "Page.getFrameTree is refused"},
		{"Emulation.setFocusEmulationEnabled", "", "Emulation.setFocusEmulationEnabled is refused"},
	} {
		t.Run(tc.method, func(t *testing.T) {
			t.Parallel()
			m := cdptest.New(t, cdptest.Options{})
			m.FailNth(tc.method, 0, refusal)
			s := taskOn(t, ownRegistry(t, quick(t)), m.URL(), supervisor.Settings{})
			_, mp := newPage(t, m, s)
			degraded(t, s, tc.says)
			if can, probed := s.Snapshot().Backend.Capabilities[tc.capability]; tc.capability != "" && (!probed || can) {
				t.Errorf("capabilities = %v", s.Snapshot().Backend.Capabilities)
			}
			// The rest works: a dialog is seen and answered, a popup is the task's, and a
			// closed page is noticed.
			d := mp.OpenDialog("confirm", "works", "")
			pending(t, s, dialog.Confirm)
			answer(t, s, supervisor.DialogAnswer{Action: "accept"})
			<-d.Done()
			if !d.Accepted {
				t.Error("the answer did not reach the page")
			}
			pop := mp.Top().OpenPopup("http://a.test/", false)
			until(t, s, "the popup", func(snap *supervisor.Snapshot) bool {
				q, ok := snap.PageByTarget(pop.TargetID())
				return ok && q.Ready
			})
			pop.Destroy()
			until(t, s, "the popup to be gone", func(snap *supervisor.Snapshot) bool { return len(snap.Pages) == 1 })
			if n := len(mp.Sessions()); n != 1 {
				t.Errorf("the page has %d sessions, want 1", n)
			}
		})
	}
}

func TestABrowserThatOpensNoPages(t *testing.T) {
	t.Parallel()
	m := cdptest.New(t, cdptest.Options{})
	m.FailNth("Target.createTarget", 0, &cdptest.Error{Code: -32000, Message: "Not supported"})
	s := taskOn(t, ownRegistry(t, quick(t)), m.URL(), supervisor.Settings{})
	if _, err := s.OpenPage(bound(t)); fault.CodeOf(err) != fault.Unsupported {
		t.Fatalf("OpenPage: %v, want %s", err, fault.Unsupported)
	}
	degraded(t, s, "Target.createTarget")
	page := m.OpenPage("http://a.test/", "")
	p, err := s.Adopt(bound(t), page.TargetID())
	if err != nil {
		t.Fatal(err)
	}
	call(t, s, p.SessionID, "Runtime.evaluate", cdptest.M{"expression": "1"})
}

// TestOneHungPageHoldsUpNothing: a page whose Page.enable is never answered is
// used as it is, and the others do not notice.
func TestOneHungPageHoldsUpNothing(t *testing.T) {
	t.Parallel()
	m := cdptest.New(t, cdptest.Options{})
	o := quick(t)
	o.SetupTimeout = 50 * time.Millisecond
	s := taskOn(t, ownRegistry(t, o), m.URL(), supervisor.Settings{})
	first := true
	m.Handle("Page.enable", func(*cdptest.Request) cdptest.Reply {
		if first { // commands of one socket come one after another
			first = false
			return cdptest.NoReply
		}
		return cdptest.Default
	})
	hung, _ := newPage(t, m, s)
	degraded(t, s, hung.TabID+": its set-up gets no answer")
	p, mp := newPage(t, m, s)
	if !p.Ready {
		t.Error("the second page is not ready")
	}
	mp.OpenDialog("alert", "seen", "")
	if d := pending(t, s, dialog.Alert); d.TabID != p.TabID {
		t.Errorf("the dialog is on %s", d.TabID)
	}
	for _, d := range s.Snapshot().Backend.Degraded {
		if strings.HasPrefix(d, p.TabID) {
			t.Errorf("the second page is called degraded: %s", d)
		}
	}
}

// TestAContextThatIsGone: somebody disposed of the task's context, or another
// browser answers at the endpoint since. The next page gets a new one.
func TestAContextThatIsGone(t *testing.T) {
	t.Parallel()
	onBoth(t, plainPages, func(t *testing.T, c carrier) {
		s := c.task(t, supervisor.Settings{})
		open(t, s, c.url("a.test/"))
		old := s.ContextID()
		c.user(t).Must(t, "", "Target.disposeBrowserContext", cdptest.M{"browserContextId": old})
		until(t, s, "the page to be gone", func(snap *supervisor.Snapshot) bool { return len(snap.Pages) == 0 })
		p := open(t, s, c.url("a.test/"))
		if p.ContextID == old || p.ContextID != s.ContextID() {
			t.Errorf("context %s, was %s, the task's is %s", p.ContextID, old, s.ContextID())
		}
		if can := s.Snapshot().Backend.Capabilities[link.CapCreateTarget]; !can {
			t.Error("the browser is said not to open pages")
		}
	})
}
