package supervisor_test

import (
	"testing"

	"cdphost/host/dialog"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

func TestDialogIsHeldAndAnswered(t *testing.T) {
	t.Parallel()
	text := "from the agent"
	for _, tc := range []struct {
		name, expression string
		typ              dialog.Type
		action           string
		text             *string
		want             string // what the page saw
	}{
		{"alert", `alert("hi")`, dialog.Alert, "accept", nil, ""},
		{"confirm accepted", `confirm("hi")`, dialog.Confirm, "accept", nil, "true"},
		{"confirm dismissed", `confirm("hi")`, dialog.Confirm, "dismiss", nil, "false"},
		{"prompt with text", `prompt("hi","dflt")`, dialog.Prompt, "accept", &text, text},
		{"prompt with its default", `prompt("hi","dflt")`, dialog.Prompt, "accept", nil, "dflt"},
		{"prompt dismissed", `prompt("hi","dflt")`, dialog.Prompt, "dismiss", nil, "null"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			onBoth(t, plainPages, func(t *testing.T, c carrier) {
				s := c.task(t, supervisor.Settings{})
				p := open(t, s, c.url("a.test/"))
				page := asks(s, p.SessionID, tc.expression)
				d := pending(t, s, tc.typ)
				if d.Message != "hi" || d.TabID != p.TabID || d.FrameID != p.TargetID {
					t.Errorf("dialog = %+v", d)
				}
				if _, blocked := s.Snapshot().Blocked(p.TabID); !blocked {
					t.Error("the page is not told to be blocked")
				}
				x := answer(t, s, supervisor.DialogAnswer{Action: tc.action, Text: tc.text})
				if x.ClosedBy != dialog.Agent || string(x.Action) != tc.action || x.ID != d.ID {
					t.Errorf("closed = %+v", x)
				}
				if v := got(t, page); v != tc.want {
					t.Errorf("the page saw %q, want %q", v, tc.want)
				}
				_, err := s.AnswerDialog(bound(t), supervisor.DialogAnswer{ID: d.ID, Action: "accept", By: dialog.Agent})
				if fault.CodeOf(err) != fault.DialogClosed {
					t.Errorf("a second answer: %v, want %s", err, fault.DialogClosed)
				}
			})
		})
	}
}

func TestPopupOfBothKinds(t *testing.T) {
	t.Parallel()
	docs := documents{
		"a.test/":    {Title: "opener"},
		"a.test/pop": {Title: "popup", Script: "alert('first statement')"},
	}
	for _, features := range []string{"", "noopener"} {
		t.Run("features "+features, func(t *testing.T) {
			t.Parallel()
			onBoth(t, docs, func(t *testing.T, c carrier) {
				s := c.task(t, supervisor.Settings{})
				p := open(t, s, c.url("a.test/"))
				start(s, p.SessionID, `window.open("/pop","_blank","`+features+`")`)
				d := pending(t, s, dialog.Alert)
				if d.TabID == p.TabID || d.Message != "first statement" {
					t.Errorf("the popup's dialog is %+v, the opener %s", d, p.TabID)
				}
				answer(t, s, supervisor.DialogAnswer{Action: "accept"})
				pop := wait(t, s, d.TabID, "the popup to load", func(p *supervisor.Page) bool { return p.Title == "popup" })
				if pop.OpenerTab != p.TabID && features == "" {
					t.Errorf("opener = %q, want %q", pop.OpenerTab, p.TabID)
				}
				if cur := s.Snapshot().Current; cur != p.TabID {
					t.Errorf("current = %q, want %q: a popup never becomes it by itself", cur, p.TabID)
				}
			})
		})
	}
}
