package supervisor_test

import (
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"cdphost/host/cdp"
	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

func TestBeforeUnload(t *testing.T) {
	t.Parallel()
	docs := documents{"a.test/": {Title: "form", BeforeUnload: true}, "a.test/next": {Title: "next"}}
	for _, tc := range []struct {
		name, action string
		leaves       bool
	}{
		{"accepted, the page goes", "accept", true},
		{"dismissed, the page stays", "dismiss", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			onBoth(t, docs, func(t *testing.T, c carrier) {
				s := c.task(t, supervisor.Settings{})
				p := open(t, s, c.url("a.test/"))
				got(t, asks(s, p.SessionID, "1")) // the user's gesture
				s.Post(cdp.Command{SessionID: p.SessionID, Method: "Page.navigate", Params: cdp.Marshal(cdptest.M{"url": c.url("a.test/next")})}, nil)
				d := pending(t, s, dialog.BeforeUnload)
				if d.Message != "" || d.FrameID != p.TargetID {
					t.Errorf("dialog = %+v", d)
				}
				x := answer(t, s, supervisor.DialogAnswer{Action: tc.action})
				if x.Type != dialog.BeforeUnload || string(x.Action) != tc.action || x.ClosedBy != dialog.Agent {
					t.Errorf("closed = %+v", x)
				}
				if tc.leaves {
					wait(t, s, p.TabID, "the next page", func(p *supervisor.Page) bool { return p.Title == "next" && p.BlockedBy == "" })
					return
				}
				if v := got(t, asks(s, p.SessionID, "document.title")); v != "form" {
					t.Errorf("the page is %q, want that it stays", v)
				}
			})
		})
	}
}

// TestClosedByOthers: what somebody else does to a dialog is recorded as theirs,
// with the reason, and an answer that comes too late learns of it.
func TestClosedByOthers(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		reason string
		input  string
		do     func(t *testing.T, c carrier, s *supervisor.Supervisor, p *supervisor.Page)
	}{
		{"another client answers", "", "typed", nil}, // it has to be there when the dialog opens
		{"the task navigates", dialog.ReasonNavigation, "", func(t *testing.T, c carrier, s *supervisor.Supervisor, p *supervisor.Page) {
			s.BeforeNavigate(p.TargetID)
			call(t, s, p.SessionID, "Page.navigate", cdptest.M{"url": c.url("a.test/two")})
		}},
		{"another client reloads", "", "", func(t *testing.T, c carrier, _ *supervisor.Supervisor, p *supervisor.Page) {
			user := c.user(t)
			user.Must(t, attach(t, user, p.TargetID), "Page.reload", nil)
		}},
		{"another client closes the page", "", "", func(t *testing.T, c carrier, _ *supervisor.Supervisor, p *supervisor.Page) {
			c.user(t).Must(t, "", "Target.closeTarget", cdptest.M{"targetId": p.TargetID})
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			onBoth(t, plainPages, func(t *testing.T, c carrier) {
				s := c.task(t, supervisor.Settings{})
				p := open(t, s, c.url("a.test/"))
				do := tc.do
				if do == nil {
					user := c.user(t)
					session := attach(t, user, p.TargetID)
					user.Must(t, session, "Page.enable", nil)
					do = func(t *testing.T, _ carrier, _ *supervisor.Supervisor, _ *supervisor.Page) {
						user.Must(t, session, "Page.handleJavaScriptDialog", cdptest.M{"accept": true, "promptText": tc.input})
					}
				}
				start(s, p.SessionID, `prompt("?","d")`)
				d := pending(t, s, dialog.Prompt)
				do(t, c, s, p)
				snap := until(t, s, "the dialog to be closed", func(snap *supervisor.Snapshot) bool {
					_, closed := snap.Closed(d.ID)
					return closed && len(snap.Pending) == 0
				})
				x, _ := snap.Closed(d.ID)
				if x.ClosedBy != dialog.Remote || tc.reason != "" && x.Reason != tc.reason || x.UserInput != tc.input {
					t.Errorf("closed = %+v", x)
				}
				_, err := s.AnswerDialog(bound(t), supervisor.DialogAnswer{ID: d.ID, Action: "accept", By: dialog.Agent})
				if fault.CodeOf(err) != fault.DialogClosed || !strings.Contains(err.Error(), "remote") {
					t.Errorf("a late answer: %v, want %s and by whom", err, fault.DialogClosed)
				}
			})
		})
	}
}

func TestWatchdog(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, want string
		verdict    dialog.Verdict
	}{
		{"dismisses by itself", "false", dialog.Verdict{Do: dialog.DoHold, Timeout: 100 * time.Millisecond}},
		{"accepts where the policy says so", "true", dialog.Verdict{Do: dialog.DoHold, Timeout: 100 * time.Millisecond, Then: dialog.Accept}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			onBoth(t, plainPages, func(t *testing.T, c carrier) {
				s := c.task(t, supervisor.Settings{Policy: &recordingPolicy{verdict: tc.verdict}})
				p := open(t, s, c.url("a.test/"))
				page := asks(s, p.SessionID, `confirm("?")`)
				snap := until(t, s, "the watchdog", func(snap *supervisor.Snapshot) bool { return len(snap.Recent) == 1 })
				if x := snap.Recent[0]; x.ClosedBy != dialog.Watchdog {
					t.Errorf("closed = %+v", x)
				}
				if v := got(t, page); v != tc.want {
					t.Errorf("the page saw %q, want %q", v, tc.want)
				}
			})
		})
	}
}

// TestTwoAnswersAtOnce: exactly one wins, and the others learn who closed it.
func TestTwoAnswersAtOnce(t *testing.T) {
	t.Parallel()
	onBoth(t, plainPages, func(t *testing.T, c carrier) {
		s := c.task(t, supervisor.Settings{FloodPerSecond: 1 << 20})
		p := open(t, s, c.url("a.test/"))
		for range 10 {
			page := asks(s, p.SessionID, `prompt("?")`)
			d := pending(t, s, dialog.Prompt)
			const answers = 4
			var errs [answers]error
			var wg sync.WaitGroup
			for i := range errs {
				wg.Go(func() {
					text := strconv.Itoa(i)
					_, errs[i] = s.AnswerDialog(bound(t), supervisor.DialogAnswer{ID: d.ID, Action: "accept", Text: &text, By: dialog.Agent})
				})
			}
			wg.Wait()
			winner := ""
			for i, err := range errs {
				switch {
				case err == nil && winner == "":
					winner = strconv.Itoa(i)
				case err == nil:
					t.Error("two answers won")
				case fault.CodeOf(err) != fault.DialogClosed || !strings.Contains(err.Error(), "agent"):
					t.Errorf("a loser got %v, want %s and by whom", err, fault.DialogClosed)
				}
			}
			if v := got(t, page); v != winner {
				t.Errorf("the page saw %q, the winner said %q", v, winner)
			}
		}
	})
}

// TestTwoTabsAtOnce: each has its own dialog, an answer without an id is
// ambiguous, and each page gets its own.
func TestTwoTabsAtOnce(t *testing.T) {
	t.Parallel()
	onBoth(t, plainPages, func(t *testing.T, c carrier) {
		s := c.task(t, supervisor.Settings{})
		tabs := []*supervisor.Page{open(t, s, c.url("a.test/")), open(t, s, c.url("b.test/"))}
		var pages []<-chan cdptest.Answer
		for _, p := range tabs {
			pages = append(pages, asks(s, p.SessionID, `prompt("?")`))
		}
		snap := until(t, s, "both dialogs", func(snap *supervisor.Snapshot) bool { return len(snap.Pending) == 2 })
		_, err := s.AnswerDialog(bound(t), supervisor.DialogAnswer{Action: "accept", By: dialog.Agent})
		if fault.CodeOf(err) != fault.DialogAmbiguous || !strings.Contains(err.Error(), snap.Pending[0].ID) || !strings.Contains(err.Error(), snap.Pending[1].ID) {
			t.Errorf("without an id: %v, want %s and both ids", err, fault.DialogAmbiguous)
		}
		for i := range tabs {
			p := tabs[len(tabs)-1-i]
			d, blocked := s.Snapshot().Blocked(p.TabID)
			if !blocked {
				t.Fatalf("%s is not blocked", p.TabID)
			}
			text := p.TabID
			answer(t, s, supervisor.DialogAnswer{ID: d.ID, Action: "accept", Text: &text})
			if v := got(t, pages[len(tabs)-1-i]); v != text {
				t.Errorf("%s saw %q", p.TabID, v)
			}
		}
	})
}
