package frames

import (
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/supervisor"
)

// held waits until a dialog waits for the agent.
func (a *agent) held(t testing.TB) dialog.Dialog {
	t.Helper()
	snap, err := a.supervisor(t).Wait(bound(t), func(s *supervisor.Snapshot) bool {
		return len(s.Pending) == 1 && s.Pending[0].State == dialog.Held && !s.Pending[0].Deciding
	})
	if err != nil {
		t.Fatal(err)
	}
	return snap.Pending[0]
}

// A dialog blocks the process of its frame; the frames of the others answer.
func TestFramesPastADialog(t *testing.T) {
	t.Parallel()
	s := site(t)
	h := onShared(t, "evaluate")
	for _, tc := range []struct {
		name          string
		in            string // the frame that raises the dialog, "" for the page itself
		works, blocks []string
	}{
		{"the page's own", "", []string{"/leaf", "/button"}, []string{"", "/other"}},
		{"a remote frame's", "/leaf", []string{"", "/other", "/button"}, []string{"/leaf"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			// A hung process hangs its site's frames in every tab, so no other test uses these sites.
			name := map[string]string{"": "one", "/leaf": "two"}[tc.in]
			a := newAgent(t, h, s.URL(name+"-top.test", "/"))
			a.atTop(t, add("src="+s.URL(name+"-b.test", "/leaf")))
			a.atTop(t, add("src="+s.URL(name+"-top.test", "/other")))
			a.in(t, a.frame(t, "/leaf").ID, add("src="+s.URL(name+"-c.test", "/button")))
			ids := map[string]string{"": a.page(t).TargetID}
			for _, suffix := range []string{"/leaf", "/other", "/button"} {
				ids[suffix] = a.frame(t, suffix).ID
			}
			opened := a.later(t, "browser_cdp", cdptest.M{
				"method": "Runtime.evaluate", "frame_id": ids[tc.in], "params": cdptest.M{"expression": "confirm('go on?')"},
			})
			d := a.held(t)
			result(t, opened).wants(t, "blocked_by_dialog", d.ID, "was begun")
			if d.FrameID != ids[tc.in] {
				t.Errorf("the dialog is of frame %s, want %s", d.FrameID, ids[tc.in])
			}
			for _, f := range tc.works {
				reply := a.must(t, "browser_cdp", cdptest.M{
					"method": "Runtime.evaluate", "frame_id": ids[f], "params": cdptest.M{"expression": "6*7"},
				})
				if got := cdptest.Field(reply, "result.result.value"); got != "42" {
					t.Errorf("frame %s says %s", f, got)
				}
				if got := cdptest.Field(reply, "pending_dialogs.0.id"); got != d.ID {
					t.Errorf("the reply shows the dialog %q", got)
				}
			}
			for _, f := range tc.blocks {
				a.refused(t, "browser_cdp", cdptest.M{
					"method": "Runtime.evaluate", "frame_id": ids[f], "params": cdptest.M{"expression": "self.ran=1"},
				}).wants(t, "blocked_by_dialog", d.ID, "Nothing was sent")
			}
			if got := cdptest.Field(a.must(t, "browser_snapshot", nil), "frame_tree.children.0.frame_id"); got != ids["/leaf"] {
				t.Errorf("the blocked page's frame_tree starts with %q", got)
			}
			a.must(t, "browser_dialog", cdptest.M{"action": "accept", "dialog_id": d.ID})
			for f, id := range ids {
				if got := a.in(t, id, "String(self.ran)"); got != "undefined" {
					t.Errorf("frame %q ran what was refused", f)
				}
			}
		})
	}
}
