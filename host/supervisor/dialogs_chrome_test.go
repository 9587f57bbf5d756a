package supervisor_test

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/supervisor"
)

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
