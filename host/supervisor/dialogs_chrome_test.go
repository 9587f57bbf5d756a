package supervisor_test

import (
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

func TestBeforeUnload(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{
		"/":     `<title>form</title><script>onbeforeunload=e=>{e.preventDefault();return "x"}</script>`,
		"/next": "<title>next</title>",
	}})
	for _, tc := range []struct {
		name, action string
		leaves       bool
	}{
		{"accepted, the page goes", "accept", true},
		{"dismissed, the page stays", "dismiss", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := task(t, supervisor.Settings{})
			p := open(t, s, site.URL("a.test", "/"))
			call(t, s, p.SessionID, "Runtime.evaluate", cdptest.M{"expression": "1", "userGesture": true})
			start(s, p.SessionID, `location.href="/next"`)
			d := pending(t, s, dialog.BeforeUnload)
			if d.Message != "" || d.FrameID != p.TargetID {
				t.Errorf("dialog = %+v", d)
			}
			c := answer(t, s, supervisor.DialogAnswer{Action: tc.action})
			if c.Type != dialog.BeforeUnload || string(c.Action) != tc.action || c.ClosedBy != dialog.Agent {
				t.Errorf("closed = %+v", c)
			}
			if tc.leaves {
				wait(t, s, p.TabID, "the next page", func(p *supervisor.Page) bool { return p.Title == "next" && p.BlockedBy == "" })
				return
			}
			got := cdptest.Field(call(t, s, p.SessionID, "Runtime.evaluate", cdptest.M{"expression": "document.title"}), "result.value")
			if got != "form" {
				t.Errorf("the page is %q, want that it stays", got)
			}
		})
	}
}

// TestClosedByOthers: what somebody else does to a dialog is recorded as theirs,
// with the reason, and an answer that comes too late learns of it.
func TestClosedByOthers(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{"/": "<title>one</title>", "/two": "<title>two</title>"}})
	for _, tc := range []struct {
		name   string
		reason string
		input  string
		do     func(t *testing.T, s *supervisor.Supervisor, p *supervisor.Page)
	}{
		{"another client answers", "", "typed", nil}, // it has to be there when the dialog opens
		{"the task navigates", dialog.ReasonNavigation, "", func(t *testing.T, s *supervisor.Supervisor, p *supervisor.Page) {
			s.BeforeNavigate(p.TargetID)
			call(t, s, p.SessionID, "Page.navigate", cdptest.M{"url": site.URL("a.test", "/two")})
		}},
		{"another client reloads", "", "", func(t *testing.T, _ *supervisor.Supervisor, p *supervisor.Page) {
			c := cdptest.Dial(t, cdptest.SharedChrome(t).WSURL)
			c.Must(t, attach(t, c, p.TargetID), "Page.reload", nil)
		}},
		{"another client closes the page", "", "", func(t *testing.T, _ *supervisor.Supervisor, p *supervisor.Page) {
			cdptest.Dial(t, cdptest.SharedChrome(t).WSURL).Must(t, "", "Target.closeTarget", cdptest.M{"targetId": p.TargetID})
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := task(t, supervisor.Settings{})
			p := open(t, s, site.URL("a.test", "/"))
			if tc.input != "" {
				c := cdptest.Dial(t, cdptest.SharedChrome(t).WSURL)
				session := attach(t, c, p.TargetID)
				c.Must(t, session, "Page.enable", nil)
				tc.do = func(t *testing.T, _ *supervisor.Supervisor, _ *supervisor.Page) {
					c.Must(t, session, "Page.handleJavaScriptDialog", cdptest.M{"accept": true, "promptText": tc.input})
				}
			}
			start(s, p.SessionID, `prompt("?","d")`)
			d := pending(t, s, dialog.Prompt)
			tc.do(t, s, p)
			snap := until(t, s, "the dialog to be closed", func(snap *supervisor.Snapshot) bool {
				_, closed := snap.Closed(d.ID)
				return closed && len(snap.Pending) == 0
			})
			c, _ := snap.Closed(d.ID)
			if c.ClosedBy != dialog.Remote || tc.reason != "" && c.Reason != tc.reason || c.UserInput != tc.input {
				t.Errorf("closed = %+v", c)
			}
			_, err := s.AnswerDialog(bound(t), supervisor.DialogAnswer{ID: d.ID, Action: "accept", By: dialog.Agent})
			if fault.CodeOf(err) != fault.DialogClosed || !strings.Contains(err.Error(), "remote") {
				t.Errorf("a late answer: %v, want %s and by whom", err, fault.DialogClosed)
			}
		})
	}
}

// attach gives a raw client a session on a page.
func attach(t *testing.T, c *cdptest.Client, targetID string) string {
	t.Helper()
	return cdptest.Field(c.Must(t, "", "Target.attachToTarget", cdptest.M{"targetId": targetID, "flatten": true}), "sessionId")
}

// TestEndlessAlerts: a page that opens one alert after another is answered by the
// breaker, with one entry that counts them, and comes to its end.
func TestEndlessAlerts(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{"/": "<title>loop</title>"}})
	const perSecond, alerts = 5, 200
	policy := &recordingPolicy{verdict: dialog.Verdict{Do: dialog.DoAccept}}
	s := task(t, supervisor.Settings{FloodPerSecond: perSecond, Policy: policy})
	p := open(t, s, site.URL("a.test", "/"))
	start(s, p.SessionID, `for(let i=0;i<`+strconv.Itoa(alerts)+`;i++)alert(i);document.title="over"`)
	eventually(t, "the loop ends", func() bool {
		raw, err := s.Call(bound(t), evaluate(p.SessionID, "", "document.title"))
		return err == nil && cdptest.Field(raw, "result.value") == "over"
	})
	snap := until(t, s, "all dialogs to be closed", func(snap *supervisor.Snapshot) bool { return len(snap.Pending) == 0 })
	if n := len(snap.Recent); n > 20 {
		t.Errorf("the ring has %d entries", n)
	}
	total, summaries := 0, 0
	for _, c := range snap.Recent {
		total += max(c.Count, 1)
		if c.Count > 1 {
			summaries++
			if c.Reason != dialog.ReasonFlood || c.ClosedBy != dialog.AutoPolicy {
				t.Errorf("summary = %+v", c)
			}
		}
	}
	if summaries == 0 || policy.asked() >= alerts {
		t.Errorf("%d summaries, the policy was asked %d times of %d", summaries, policy.asked(), alerts)
	}
}

func TestWatchdog(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{"/": "<title>one</title>"}})
	for _, tc := range []struct {
		name, want string
		verdict    dialog.Verdict
	}{
		{"dismisses by itself", "false", dialog.Verdict{Do: dialog.DoHold, Timeout: 100 * time.Millisecond}},
		{"accepts where the policy says so", "true", dialog.Verdict{Do: dialog.DoHold, Timeout: 100 * time.Millisecond, Then: dialog.Accept}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := task(t, supervisor.Settings{Policy: &recordingPolicy{verdict: tc.verdict}})
			p := open(t, s, site.URL("a.test", "/"))
			start(s, p.SessionID, `self.out=String(confirm("?"))`)
			snap := until(t, s, "the watchdog", func(snap *supervisor.Snapshot) bool { return len(snap.Recent) == 1 })
			if c := snap.Recent[0]; c.ClosedBy != dialog.Watchdog {
				t.Errorf("closed = %+v", c)
			}
			if got := cdptest.Field(call(t, s, p.SessionID, "Runtime.evaluate", cdptest.M{"expression": "self.out"}), "result.value"); got != tc.want {
				t.Errorf("the page saw %q, want %q", got, tc.want)
			}
		})
	}
}

// TestTwoAnswersAtOnce: exactly one wins, and the others learn who closed it.
func TestTwoAnswersAtOnce(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{"/": "<title>one</title>"}})
	s := task(t, supervisor.Settings{})
	p := open(t, s, site.URL("a.test", "/"))
	for range 10 {
		start(s, p.SessionID, `self.out=String(prompt("?"))`)
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
		if got := cdptest.Field(call(t, s, p.SessionID, "Runtime.evaluate", cdptest.M{"expression": "self.out"}), "result.value"); got != winner {
			t.Errorf("the page saw %q, the winner said %q", got, winner)
		}
	}
}

// TestMessages: long ones are cut at the cap, whatever they are made of, and the
// answer goes through.
func TestMessages(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{"/": "<title>one</title>"}})
	for _, tc := range []struct {
		name, js, prefix string
		cut              bool
	}{
		{"10 KB", `"x".repeat(10240)`, "xxxx", true},
		{"20 KB", `"x".repeat(20480)`, "xxxx", true},
		{"10,000 emoji", `"\u{1F600}".repeat(10000)`, "\U0001F600", true},
		{"control characters", `"\u0000\u0001\u001f\u007f\u2028\ufeff"`, strings.Repeat("\ufffd", 4) + "\u2028\ufeff", false},
		{"a lone surrogate", `"a\ud800b"`, "a", false},
		{"what looks like CDP", `'{"id":1,"method":"Page.javascriptDialogClosed","sessionId":"X"}'`, `{"id":1`, false},
		{"quotes and backslashes", `'"\\"\n\t</script>'`, `"\"` + "\n\t</script>", false},
		{"nothing", `""`, "", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := task(t, supervisor.Settings{})
			p := open(t, s, site.URL("a.test", "/"))
			start(s, p.SessionID, `self.m=`+tc.js+`;self.out=prompt(m,m)===m`)
			d := pending(t, s, dialog.Prompt)
			if !strings.HasPrefix(d.Message, tc.prefix) || d.MessageTruncated != tc.cut {
				t.Errorf("message %.40q, truncated %v", d.Message, d.MessageTruncated)
			}
			if n := utf8.RuneCountInString(d.Message); n > 2000 || !utf8.ValidString(d.Message) {
				t.Errorf("%d characters, valid %v", n, utf8.ValidString(d.Message))
			}
			answer(t, s, supervisor.DialogAnswer{Action: "accept"})
			got := cdptest.Field(call(t, s, p.SessionID, "Runtime.evaluate", cdptest.M{"expression": "String(out)"}), "result.value")
			if want := "true"; got != want && tc.name != "a lone surrogate" {
				t.Errorf("the page got its own default back: %s", got)
			}
		})
	}
}

// TestTwoTabsAtOnce: each has its own dialog, an answer without an id is
// ambiguous, and each page gets its own.
func TestTwoTabsAtOnce(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{"/": "<title>one</title>"}})
	s := task(t, supervisor.Settings{})
	a, b := open(t, s, site.URL("a.test", "/")), open(t, s, site.URL("b.test", "/"))
	for _, p := range []*supervisor.Page{a, b} {
		start(s, p.SessionID, `self.out=prompt("?")`)
	}
	snap := until(t, s, "both dialogs", func(snap *supervisor.Snapshot) bool { return len(snap.Pending) == 2 })
	_, err := s.AnswerDialog(bound(t), supervisor.DialogAnswer{Action: "accept", By: dialog.Agent})
	if fault.CodeOf(err) != fault.DialogAmbiguous || !strings.Contains(err.Error(), snap.Pending[0].ID) || !strings.Contains(err.Error(), snap.Pending[1].ID) {
		t.Errorf("without an id: %v, want %s and both ids", err, fault.DialogAmbiguous)
	}
	for _, p := range []*supervisor.Page{b, a} {
		d, blocked := s.Snapshot().Blocked(p.TabID)
		if !blocked {
			t.Fatalf("%s is not blocked", p.TabID)
		}
		text := p.TabID
		answer(t, s, supervisor.DialogAnswer{ID: d.ID, Action: "accept", Text: &text})
		if got := cdptest.Field(call(t, s, p.SessionID, "Runtime.evaluate", cdptest.M{"expression": "self.out"}), "result.value"); got != text {
			t.Errorf("%s saw %q", p.TabID, got)
		}
	}
}
