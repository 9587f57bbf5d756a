package supervisor_test

import (
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

func TestDialogIsHeldAndAnswered(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{"/": "<title>shop</title><p>hello"}})
	text := "from the agent"
	for _, tc := range []struct {
		name, expression string
		typ              dialog.Type
		action           string
		text             *string
		want             string // what the page saw
	}{
		{"alert", `out=String(alert("hi"))`, dialog.Alert, "accept", nil, "undefined"},
		{"confirm accepted", `out=String(confirm("hi"))`, dialog.Confirm, "accept", nil, "true"},
		{"confirm dismissed", `out=String(confirm("hi"))`, dialog.Confirm, "dismiss", nil, "false"},
		{"prompt with text", `out=String(prompt("hi","dflt"))`, dialog.Prompt, "accept", &text, text},
		{"prompt with its default", `out=String(prompt("hi","dflt"))`, dialog.Prompt, "accept", nil, "dflt"},
		{"prompt dismissed", `out=String(prompt("hi","dflt"))`, dialog.Prompt, "dismiss", nil, "null"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := task(t, supervisor.Settings{})
			p := open(t, s, site.URL("a.test", "/"))
			start(s, p.SessionID, tc.expression)
			d := pending(t, s, tc.typ)
			if d.Message != "hi" || d.TabID != p.TabID || d.FrameID != p.TargetID {
				t.Errorf("dialog = %+v", d)
			}
			if _, blocked := s.Snapshot().Blocked(p.TabID); !blocked {
				t.Error("the page is not told to be blocked")
			}
			c, err := s.AnswerDialog(bound(t), supervisor.DialogAnswer{Action: tc.action, Text: tc.text, By: dialog.Agent})
			if err != nil {
				t.Fatal(err)
			}
			if c.ClosedBy != dialog.Agent || string(c.Action) != tc.action || c.ID != d.ID {
				t.Errorf("closed = %+v", c)
			}
			got := cdptest.Field(call(t, s, p.SessionID, "Runtime.evaluate", cdptest.M{"expression": "out"}), "result.value")
			if got != tc.want {
				t.Errorf("the page saw %q, want %q", got, tc.want)
			}
			_, err = s.AnswerDialog(bound(t), supervisor.DialogAnswer{ID: d.ID, Action: "accept", By: dialog.Agent})
			if fault.CodeOf(err) != fault.DialogClosed {
				t.Errorf("a second answer: %v, want %s", err, fault.DialogClosed)
			}
		})
	}
}

func TestPopupOfBothKinds(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{
		"/":    "<title>opener</title>",
		"/pop": "<script>alert('first statement')</script><title>popup</title>",
	}})
	for _, features := range []string{"", "noopener"} {
		t.Run("features "+features, func(t *testing.T) {
			t.Parallel()
			s := task(t, supervisor.Settings{})
			p := open(t, s, site.URL("a.test", "/"))
			start(s, p.SessionID, `window.open("/pop","_blank","`+features+`")`)
			d := pending(t, s, dialog.Alert)
			if d.TabID == p.TabID {
				t.Errorf("the popup's dialog is on the opener's tab: %+v", d)
			}
			if _, err := s.AnswerDialog(bound(t), supervisor.DialogAnswer{Action: "accept", By: dialog.Agent}); err != nil {
				t.Fatal(err)
			}
			pop := wait(t, s, d.TabID, "the popup to load", func(p *supervisor.Page) bool { return p.Title == "popup" })
			if pop.OpenerTab != p.TabID && features == "" {
				t.Errorf("opener = %q, want %q", pop.OpenerTab, p.TabID)
			}
			if cur := s.Snapshot().Current; cur != p.TabID {
				t.Errorf("current = %q, want %q: a popup never becomes it by itself", cur, p.TabID)
			}
		})
	}
}
