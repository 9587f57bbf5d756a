package bridge

import (
	"strings"
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/supervisor"
)

// TestGone has what held a dialog go away in every way: the record tells it, and
// nothing of it is left.
func TestGone(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{
		"/":      `<title>page</title><iframe id="f" src="http://b.test:{{port}}/inner"></iframe>`,
		"/inner": `<script>onmessage = () => parent.postMessage(confirm("inner"), "*")</script>`,
	}})
	for _, k := range []kind{debugger, xhr} {
		_, b := k.start(t, `{}`)
		for _, tc := range []struct {
			name, message, reason string
			end                   func(*testing.T, *supervisor.Supervisor, *supervisor.Page)
			open                  bool // the page stays
		}{
			{"page navigated", "asked", dialog.ReasonNavigation, func(t *testing.T, s *supervisor.Supervisor, p *supervisor.Page) {
				call(t, s, p.SessionID, "Page.navigate", cdptest.M{"url": site.URL("a.test", "/")})
			}, true},
			{"page reloaded", "asked", dialog.ReasonNavigation, func(t *testing.T, s *supervisor.Supervisor, p *supervisor.Page) {
				call(t, s, p.SessionID, "Page.reload", cdptest.M{})
			}, true},
			{"page closed", "asked", dialog.ReasonClose, func(t *testing.T, s *supervisor.Supervisor, p *supervisor.Page) {
				if err := s.ClosePage(bound(t), p.TabID); err != nil {
					t.Error(err)
				}
			}, false},
			{"page closed under an iframe's dialog", "inner", dialog.ReasonFrameGone, func(t *testing.T, s *supervisor.Supervisor, p *supervisor.Page) {
				if err := s.ClosePage(bound(t), p.TabID); err != nil {
					t.Error(err)
				}
			}, false},
			{"iframe removed", "inner", dialog.ReasonFrameGone, func(t *testing.T, s *supervisor.Supervisor, p *supervisor.Page) {
				start(s, p.SessionID, `document.getElementById("f").remove()`)
			}, true},
			{"iframe navigated", "inner", dialog.ReasonNavigation, func(t *testing.T, s *supervisor.Supervisor, p *supervisor.Page) {
				start(s, p.SessionID, `document.getElementById("f").src += "?again"`)
			}, true},
			{"connection dropped", "asked", dialog.ReasonDisconnect, func(t *testing.T, s *supervisor.Supervisor, p *supervisor.Page) {
				s.Drop()
			}, false},
		} {
			t.Run(string(k)+"/"+tc.name, func(t *testing.T) {
				s := task(t, supervisor.Settings{Bridge: b})
				if tc.reason == dialog.ReasonDisconnect {
					own := supervisor.NewRegistry(supervisor.Options{Logger: logger()})
					t.Cleanup(func() { own.StopAll(t.Context()) })
					s = taskOn(t, own, cdptest.Chrome(t).WSURL, supervisor.Settings{Bridge: b})
				}
				p := loaded(t, s, site.URL("a.test", "/"))
				if tc.message == "inner" {
					start(s, p.SessionID, `frames[0].postMessage("", "*")`)
				} else {
					start(s, p.SessionID, `out = String(confirm("asked"))`)
				}
				d := held(t, s, tc.message)
				tc.end(t, s, p)
				snap := until(t, s, "the record", func(snap *supervisor.Snapshot) bool {
					_, ok := snap.Closed(d.ID)
					return ok
				})
				c, _ := snap.Closed(d.ID)
				if c.ClosedBy != dialog.Remote || !strings.HasPrefix(c.Reason, tc.reason) {
					t.Errorf("closed by %s, %q; want remote, %s", c.ClosedBy, c.Reason, tc.reason)
				}
				if tc.open {
					until(t, s, "the page to be free", func(snap *supervisor.Snapshot) bool {
						_, blocked := snap.Blocked(p.TabID)
						return !blocked
					})
				}
			})
		}
	}
}
