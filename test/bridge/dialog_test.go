package bridge

import (
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/supervisor"
)

func TestDialogs(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{"/": "<title>shop</title><p>hello"}})
	text := "from the agent \u2028 \"quoted\" </script> é \U0001F600"
	for _, k := range []kind{debugger, xhr} {
		_, b := k.start(t, `{}`)
		for _, tc := range []struct {
			name, expression string
			typ              dialog.Type
			message          string
			action           string
			text             *string
			want             string
		}{
			{"alert", `String(alert("hi"))`, dialog.Alert, "hi", "accept", nil, "undefined"},
			{"alert of undefined", `String(alert(undefined))`, dialog.Alert, "undefined", "accept", nil, "undefined"},
			{"confirm accepted", `String(confirm("hi"))`, dialog.Confirm, "hi", "accept", nil, "true"},
			{"confirm dismissed", `String(confirm("hi"))`, dialog.Confirm, "hi", "dismiss", nil, "false"},
			{"confirm without a message", `String(confirm())`, dialog.Confirm, "", "accept", nil, "true"},
			{"prompt with text", `prompt("hi","dflt")`, dialog.Prompt, "hi", "accept", &text, text},
			{"prompt with its default", `prompt("hi","dflt")`, dialog.Prompt, "hi", "accept", nil, "dflt"},
			{"prompt dismissed", `String(prompt("hi","dflt"))`, dialog.Prompt, "hi", "dismiss", nil, "null"},
			{"object", `String(confirm({toString:()=>"deep"}))`, dialog.Confirm, "deep", "accept", nil, "true"},
			{"lone surrogate", `String(confirm("x\uD800y"))`, dialog.Confirm, "x\uFFFDy", "accept", nil, "true"},
		} {
			t.Run(string(k)+"/"+tc.name, func(t *testing.T) {
				t.Parallel()
				s := task(t, supervisor.Settings{Bridge: b})
				p := loaded(t, s, site.URL("a.test", "/"))
				out := start(s, p.SessionID, tc.expression)
				d := held(t, s, tc.message)
				if d.Type != tc.typ || d.Bridge != string(k) || d.TabID != p.TabID || d.FrameID != p.TargetID || d.URL != p.URL {
					t.Errorf("dialog = %+v", d)
				}
				if _, blocked := s.Snapshot().Blocked(p.TabID); !blocked {
					t.Error("the page is not told to be blocked")
				}
				c := answer(t, s, "", tc.action, tc.text)
				if c.ClosedBy != dialog.Agent || string(c.Action) != tc.action || c.ID != d.ID {
					t.Errorf("closed = %+v", c)
				}
				if got := receive(t, out); got != tc.want {
					t.Errorf("the page saw %q, want %q", got, tc.want)
				}
			})
		}
	}
}
