package bridge

import (
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/supervisor"
)

// TestSecondSession has somebody intercept and debug on a session of his own on
// the page: the bridge's requests and pauses pass him by.
func TestSecondSession(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{"/": asking}})
	for _, k := range []kind{debugger, xhr} {
		t.Run(string(k), func(t *testing.T) {
			t.Parallel()
			_, b := k.start(t, `{}`)
			s := task(t, supervisor.Settings{Bridge: b})
			p := loaded(t, s, site.URL("a.test", "/"))
			sub := s.Subscribe(supervisor.Filter{Methods: []string{"Fetch.requestPaused", "Debugger.paused"}}, 16)
			defer sub.Close()
			h := handle(t, s, "tester")
			session := cdptest.Field(send(t, h, "", "Target.attachToTarget", cdptest.M{"targetId": p.TargetID, "flatten": true}), "sessionId")
			send(t, h, session, "Fetch.enable", nil)
			send(t, h, session, "Debugger.enable", nil)
			out := start(s, p.SessionID, `String(confirm("asked"))`)
			d := held(t, s, "asked")
			if d.Bridge != string(k) {
				t.Errorf("dialog = %+v", d)
			}
			if c := answer(t, s, d.ID, "accept", nil); c.ClosedBy != dialog.Agent {
				t.Errorf("closed = %+v", c)
			}
			if got := receive(t, out); got != "true" {
				t.Errorf("the page saw %q", got)
			}
			for {
				select {
				case e := <-sub.C:
					if url := cdptest.Field(e.Params, "request.url"); e.Method == "Debugger.paused" || url == "https://hermes-dialog-bridge.invalid/dialog" {
						t.Errorf("somebody else was told of %s %s", e.Method, e.Params)
					}
				default:
					return
				}
			}
		})
	}
}
