package bridge

import (
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/supervisor"
)

// TestSwitch changes the bridge of a running task, with documents open that know
// the one before: dialogs go over the new one at once, and one that is held is
// not answered with nothing.
func TestSwitch(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{
		"/":      `<title>page</title><iframe src="http://b.test:{{port}}/inner"></iframe>`,
		"/inner": `<script>onmessage = () => parent.postMessage(confirm("inner"), "*")</script>`,
	}})
	_, byDebugger := debugger.start(t, `{}`)
	_, byXHR := xhr.start(t, `{}`)
	bridges := map[string]supervisor.Bridge{"": nil, string(debugger): byDebugger, string(xhr): byXHR}
	for _, way := range [][]string{
		{"", string(debugger), ""},
		{string(debugger), "", string(debugger)},
		{"", string(xhr), ""},
		{string(xhr), string(debugger), string(xhr)},
	} {
		t.Run(way[0]+"-"+way[1]+"-"+way[2], func(t *testing.T) {
			t.Parallel()
			s := task(t, supervisor.Settings{Bridge: bridges[way[0]]})
			p := loaded(t, s, site.URL("a.test", "/"))
			asks := func(want string) {
				t.Helper()
				out := start(s, p.SessionID, `String(confirm("asked"))`)
				d := held(t, s, "asked")
				if d.Bridge != want {
					t.Errorf("the dialog goes over %q, want %q", d.Bridge, want)
				}
				answer(t, s, d.ID, "accept", nil)
				if got := receive(t, out); got != "true" {
					t.Errorf("the page saw %q", got)
				}
				start(s, p.SessionID, `frames[0].postMessage("", "*")`)
				d = held(t, s, "inner")
				if d.Bridge != want || d.FrameID == p.TargetID {
					t.Errorf("the iframe's dialog goes over %q, want %q: %+v", d.Bridge, want, d)
				}
				answer(t, s, d.ID, "accept", nil)
			}
			asks(way[0])
			for _, to := range way[1:] {
				s.Configure(supervisor.Settings{Bridge: bridges[to]})
				// The switch is sent without waiting: what is evaluated next comes after it.
				settled(t, s, p)
				asks(to)
			}
			for _, c := range s.Snapshot().Recent {
				if c.ClosedBy != dialog.Agent {
					t.Errorf("closed = %+v", c)
				}
			}
		})
	}
}

// TestSwitchWhileHeld takes the bridge away under a dialog that it holds: the page
// asks the browser's own way, and the agent still answers.
func TestSwitchWhileHeld(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{"/": asking}})
	for _, k := range []kind{debugger, xhr} {
		t.Run(string(k), func(t *testing.T) {
			t.Parallel()
			_, b := k.start(t, `{}`)
			s := task(t, supervisor.Settings{Bridge: b})
			p := loaded(t, s, site.URL("a.test", "/"))
			out := start(s, p.SessionID, `prompt("asked", "standard")`)
			first := held(t, s, "asked")
			s.Configure(supervisor.Settings{})
			d := pendingNative(t, s)
			if d.Message != "asked" || d.DefaultPrompt != "standard" {
				t.Errorf("dialog = %+v", d)
			}
			text := "typed"
			answer(t, s, d.ID, "accept", &text)
			if got := receive(t, out); got != text {
				t.Errorf("the page saw %q", got)
			}
			closed, ok := s.Snapshot().Closed(first.ID)
			if !ok || closed.ClosedBy != dialog.Remote || closed.Reason != dialog.ReasonReleased {
				t.Errorf("closed = %+v", closed)
			}
		})
	}
}

// settled waits until no session's set-up is being changed.
func settled(t *testing.T, s *supervisor.Supervisor, p *supervisor.Page) {
	t.Helper()
	for !s.BridgesSettled() {
		evaluate(t, s, p.SessionID, "1")
	}
}
