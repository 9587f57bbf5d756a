//go:build unix

package bridge

import (
	"errors"
	"strings"
	"syscall"
	"testing"
	"time"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// TestDeathOfThePlugin kills the bridge's process before a dialog, between its
// opening and its answer, and in between all the time: no dialog is lost, no page
// hangs, and every answer is the agent's.
func TestDeathOfThePlugin(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{"/": asking}})
	for _, k := range []kind{debugger, xhr} {
		for _, tc := range []struct {
			name            string
			before, between bool
		}{
			{"before", true, false},
			{"between", false, true},
			{"before and between", true, true},
		} {
			t.Run(string(k)+"/"+tc.name, func(t *testing.T) {
				t.Parallel()
				m, b := k.start(t, `{}`)
				s := task(t, supervisor.Settings{Bridge: b})
				if tc.before {
					kill(t, m) // also the set-up of the page comes from the host alone
				}
				p := loaded(t, s, site.URL("a.test", "/"))
				out := start(s, p.SessionID, `prompt("asked", "default")`)
				d := held(t, s, "asked")
				if d.Bridge != string(k) {
					t.Fatalf("dialog = %+v", d)
				}
				if tc.between {
					kill(t, m)
				}
				text := "typed"
				answer(t, s, d.ID, "accept", &text)
				if got := receive(t, out); got != text {
					t.Errorf("the page saw %q", got)
				}
			})
		}
	}
}

// TestBridgeThatDoesNotAnswer stops the bridge's process without ending it: the
// page is released to the browser's own dialog, which is in the same queue, and
// what happened is told.
func TestBridgeThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{"/": asking}})
	for _, k := range []kind{debugger, xhr} {
		t.Run(string(k), func(t *testing.T) {
			t.Parallel()
			m, b := k.start(t, `{}`)
			s := task(t, supervisor.Settings{Bridge: b})
			sub := s.Subscribe(supervisor.Filter{Methods: []string{supervisor.HostBridgeReleased}}, 8)
			defer sub.Close()
			p := loaded(t, s, site.URL("a.test", "/"))
			stopped := pid(t, m)
			if err := syscall.Kill(stopped, syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
			out := start(s, p.SessionID, `String(confirm("asked"))`)
			d := held(t, s, "asked")
			if !d.Native() {
				t.Errorf("dialog = %+v, want a native one", d)
			}
			select {
			case <-sub.C:
			case <-bound(t).Done():
				t.Error("the release was not told")
			}
			if all := strings.Join(s.Snapshot().Backend.Degraded, "\n"); !strings.Contains(all, "dialog bridge "+string(k)+" was down") {
				t.Errorf("degraded: %q", all)
			}
			answer(t, s, d.ID, "accept", nil)
			if got := receive(t, out); got != "true" {
				t.Errorf("the page saw %q", got)
			}
		})
	}
}

// TestAnswerWithoutTheBridge takes the bridge away for good while it holds a
// dialog: the agent is told, and the deadline releases the page.
func TestAnswerWithoutTheBridge(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{"/": asking}})
	for _, k := range []kind{debugger, xhr} {
		t.Run(string(k), func(t *testing.T) {
			t.Parallel()
			m, b := k.start(t, `{}`)
			policy := &firstThen{}
			s := task(t, supervisor.Settings{Bridge: b, Policy: policy})
			p := loaded(t, s, site.URL("a.test", "/"))
			out := start(s, p.SessionID, `String(confirm("asked"))`)
			d := held(t, s, "asked")
			if err := m.Apply(bound(t), nil); err != nil {
				t.Fatal(err)
			}
			_, err := s.AnswerDialog(bound(t), supervisor.DialogAnswer{ID: d.ID, Action: "accept", By: dialog.Agent})
			if !errors.Is(err, fault.PluginUnavailable) {
				t.Errorf("answering: %v, want %s", err, fault.PluginUnavailable)
			}
			if again := held(t, s, "asked"); again.ID != d.ID {
				t.Errorf("the dialog is %s now, want %s still", again.ID, d.ID)
			}
			policy.dismiss.Store(true)
			s.Redecide() // now the policy dismisses, the bridge can't, and the page is released
			native := pendingNative(t, s)
			if native.ID == d.ID {
				t.Errorf("dialog = %+v", native)
			}
			answer(t, s, native.ID, "accept", nil)
			if got := receive(t, out); got != "true" {
				t.Errorf("the page saw %q", got)
			}
			closed, _ := s.Snapshot().Closed(d.ID)
			if closed == nil || closed.Reason != dialog.ReasonReleased || closed.Action != "" {
				t.Errorf("closed = %+v", closed)
			}
		})
	}
}

// TestDeadlineWithoutTheBridge takes the bridge away for good while it holds a
// dialog that nobody answers: at its deadline the page is released, and the record
// says by whom.
func TestDeadlineWithoutTheBridge(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{"/": asking}})
	for _, k := range []kind{debugger, xhr} {
		t.Run(string(k), func(t *testing.T) {
			t.Parallel()
			m, b := k.start(t, `{}`)
			s := task(t, supervisor.Settings{Bridge: b, DialogTimeout: time.Second})
			p := loaded(t, s, site.URL("a.test", "/"))
			out := start(s, p.SessionID, `String(confirm("asked"))`)
			until(t, s, "the bridged dialog", func(snap *supervisor.Snapshot) bool { return len(snap.Pending) == 1 })
			if err := m.Apply(bound(t), nil); err != nil {
				t.Fatal(err)
			}
			if got := receive(t, out); got != "false" { // the native dialog's deadline comes as well
				t.Errorf("the page saw %q", got)
			}
			snap := until(t, s, "both records", func(snap *supervisor.Snapshot) bool { return len(snap.Recent) == 2 })
			bridged, native := snap.Recent[0], snap.Recent[1]
			if bridged.Bridge != string(k) || bridged.ClosedBy != dialog.Watchdog || bridged.Reason != dialog.ReasonReleased {
				t.Errorf("the bridged one: %+v", bridged)
			}
			if !native.Native() || native.ClosedBy != dialog.Watchdog || native.Action != dialog.Dismiss {
				t.Errorf("the native one: %+v", native)
			}
		})
	}
}
