package bridge

import (
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/supervisor"
)

// TestPopups asks in the first script of every kind of popup. The dialog is the
// popup's, also where its request pauses on the session of its opener.
func TestPopups(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{
		"/":    "<title>opener</title>",
		"/pop": `<script>const a = String(confirm("asked")); document.title = "popup " + a</script>`,
	}})
	for _, k := range []kind{debugger, xhr} {
		_, b := k.start(t, `{}`)
		for _, tc := range []struct{ name, expression string }{
			{"with opener", `window.open("/pop")`},
			{"without opener", `window.open("/pop", "_blank", "noopener")`},
			{"other site", `window.open("` + site.URL("b.test", "/pop") + `")`},
			{"written by the opener", `const w = window.open(""); w.document.write('<script>const a = String(confirm("asked")); document.title = "popup " + a<\/script>')`},
		} {
			t.Run(string(k)+"/"+tc.name, func(t *testing.T) {
				t.Parallel()
				s := task(t, supervisor.Settings{Bridge: b})
				p := loaded(t, s, site.URL("a.test", "/"))
				start(s, p.SessionID, tc.expression)
				d := held(t, s, "asked")
				if d.Bridge != string(k) || d.TabID == p.TabID {
					t.Errorf("dialog = %+v, want one of the popup's", d)
				}
				if c := answer(t, s, d.ID, "accept", nil); c.ClosedBy != dialog.Agent {
					t.Errorf("closed = %+v", c)
				}
				pop, ok := s.Snapshot().Page(d.TabID)
				if !ok {
					t.Fatal("the popup is gone")
				}
				answered(t, s, pop, "popup true")
				if n := len(s.Snapshot().Recent); n != 1 {
					t.Errorf("%d dialogs, want 1", n)
				}
			})
		}
	}
}
