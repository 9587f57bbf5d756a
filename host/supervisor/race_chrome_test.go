package supervisor_test

import (
	"fmt"
	"strconv"
	"sync"
	"testing"

	"cdphost/host/cdp"
	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/link"
	"cdphost/host/supervisor"
)

// initScript makes every document of a task tell whether the script ran before
// its own first statement.
func initScript(link.Target) []cdp.Command {
	return []cdp.Command{{Method: "Page.addScriptToEvaluateOnNewDocument", Params: cdp.Marshal(cdptest.M{
		"source": "self.initRan=true", "runImmediately": true,
	})}}
}

// TestFirstStatementIsNeverMissed opens popups and out-of-process iframes whose
// first statement is an alert that tells whether the init script was in time.
func TestFirstStatementIsNeverMissed(t *testing.T) {
	t.Parallel()
	browser := cdptest.Chrome(t, cdptest.SpareProcess)
	r := ownRegistry(t, link.Options{})
	alert := `<script>alert("init "+(self.initRan===true))</script>`
	site := cdptest.Site(t, cdptest.Hosts{
		"a.test": cdptest.Paths{"/": "<title>top</title>", "/pop": alert},
		"b.test": cdptest.Paths{"/": alert},
	})
	for _, tc := range []struct{ name, open string }{
		{"popup with opener", `window.open("/pop"); 0`},
		{"popup without opener", `window.open("/pop","_blank","noopener"); 0`},
		{"iframe", fmt.Sprintf(`{let f=document.createElement("iframe");f.src=%q;document.body.append(f)}`, site.URL("b.test", "/"))},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := taskOn(t, r, browser.WSURL, supervisor.Settings{Setup: initScript})
			p := open(t, s, site.URL("a.test", "/"))
			for i := range tries {
				start(s, p.SessionID, tc.open)
				want := "d-" + strconv.Itoa(i+1)
				snap := until(t, s, "dialog "+want, func(snap *supervisor.Snapshot) bool {
					d, ok := snap.Dialog(want)
					return ok && d.State == dialog.Held
				})
				d, _ := snap.Dialog(want)
				if d.Message != "init true" {
					t.Fatalf("try %d: %q", i, d.Message)
				}
				if _, err := s.AnswerDialog(bound(t), supervisor.DialogAnswer{ID: want, Action: "accept", By: dialog.Agent}); err != nil {
					t.Fatal(err)
				}
				if d.TabID != p.TabID {
					if err := s.ClosePage(bound(t), d.TabID); err != nil {
						t.Fatal(err)
					}
				} else {
					call(t, s, p.SessionID, "Runtime.evaluate", cdptest.M{"expression": `document.querySelectorAll("iframe").forEach(f=>f.remove())`})
				}
			}
		})
	}
}

// TestTwentyTasksOpenPopupsAtOnce has twenty tasks on one browser open popups of
// both kinds at the same moment. None waits for another: each answers only its
// own dialogs, and only after all of them have theirs.
func TestTwentyTasksOpenPopupsAtOnce(t *testing.T) {
	t.Parallel()
	const tasks = 20
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{
		"/":    "<title>top</title>",
		"/pop": `<script>alert(location.search+" init "+(self.initRan===true))</script>`,
	}})
	var sups [tasks]*supervisor.Supervisor
	var pages [tasks]*supervisor.Page
	for i := range sups {
		sups[i] = task(t, supervisor.Settings{Setup: initScript})
		pages[i] = open(t, sups[i], site.URL(fmt.Sprintf("t%d.test", i), "/"))
	}
	var wg sync.WaitGroup
	for i, s := range sups {
		wg.Go(func() {
			// The popup with opener stops its opener, so it comes last.
			start(s, pages[i].SessionID, fmt.Sprintf(`window.open("/pop?%d-b","_blank","noopener")`, i))
			start(s, pages[i].SessionID, fmt.Sprintf(`window.open("/pop?%d-a")`, i))
		})
	}
	wg.Wait()
	for i, s := range sups {
		snap := until(t, s, "both dialogs", func(snap *supervisor.Snapshot) bool { return len(snap.Pending) == 2 })
		got := map[string]bool{}
		for _, d := range snap.Pending {
			got[d.Message] = true
		}
		for _, kind := range []string{"a", "b"} {
			if want := fmt.Sprintf("?%d-%s init true", i, kind); !got[want] {
				t.Errorf("task %d lacks the dialog %q; it has %v", i, want, got)
			}
		}
		if n := len(snap.Pages); n != 3 {
			t.Errorf("task %d sees %d pages, want its own and two popups", i, n)
		}
	}
	for _, s := range sups {
		for _, d := range s.Snapshot().Pending {
			if _, err := s.AnswerDialog(bound(t), supervisor.DialogAnswer{ID: d.ID, Action: "accept", By: dialog.Agent}); err != nil {
				t.Error(err)
			}
		}
	}
}
