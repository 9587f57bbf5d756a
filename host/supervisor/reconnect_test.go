package supervisor_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"cdphost/host/cdp"
	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/link"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// again waits for a page's session of a later epoch.
func again(t *testing.T, s *supervisor.Supervisor, p *supervisor.Page) *supervisor.Page {
	t.Helper()
	return wait(t, s, p.TabID, "a session of the next epoch", func(q *supervisor.Page) bool {
		return q.SessionID != "" && q.SessionID != p.SessionID
	})
}

func TestCallsInFlightEndAtADrop(t *testing.T) {
	t.Parallel()
	m := cdptest.New(t, cdptest.Options{})
	m.Hang("DOM.getDocument")
	s := taskOn(t, ownRegistry(t, quick(t)), m.URL(), supervisor.Settings{})
	p, _ := newPage(t, m, s)
	m.Hang("Browser.getVersion") // so that no reconnect ends them
	const calls = 20
	ended := make(chan error, calls)
	for range calls {
		go func() {
			_, err := s.Call(context.Background(), cdp.Command{SessionID: p.SessionID, Method: "DOM.getDocument"})
			ended <- err
		}()
	}
	m.MustReceive(t, "DOM.getDocument", calls)
	m.Drop()
	for range calls {
		if err := <-ended; !errors.Is(err, cdp.ErrNoReply) {
			t.Errorf("a call in flight: %v, want %v", err, cdp.ErrNoReply)
		}
	}
	until(t, s, "the snapshot to say so", func(snap *supervisor.Snapshot) bool { return !snap.Connected })
	_, err := s.Call(bound(t), cdp.Command{Method: "Browser.getVersion"})
	if fault.CodeOf(err) != fault.BrowserGone {
		t.Errorf("a call meanwhile: %v, want %s", err, fault.BrowserGone)
	}
	if _, err := s.OpenPage(bound(t)); fault.CodeOf(err) != fault.BrowserGone {
		t.Errorf("OpenPage meanwhile: %v, want %s", err, fault.BrowserGone)
	}
}

// TestStoppedWhileDisconnected: what a task leaves when there is no connection is
// undone at the next attachment, by the link or by whoever comes next.
func TestStoppedWhileDisconnected(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		shared bool // another task keeps the link
	}{{"the link lives on", true}, {"the link ends", false}} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			m := cdptest.New(t, cdptest.Options{})
			r := ownRegistry(t, quick(t))
			s := taskOn(t, r, m.URL(), supervisor.Settings{})
			newPage(t, m, s)
			if tc.shared {
				taskOn(t, r, m.URL(), supervisor.Settings{})
			}
			m.Hang("Browser.getVersion")
			m.Drop()
			m.MustReceive(t, "Browser.getVersion", 2)
			r.Stop(bound(t), s.Key())
			if n := len(contextsOf(t, m.URL())); n != 1 {
				t.Fatalf("%d contexts, want the one that is left", n)
			}
			m.Handle("Browser.getVersion", nil)
			if tc.shared {
				m.Drop()
			} else {
				taskOn(t, r, m.URL(), supervisor.Settings{})
			}
			eventually(t, "the context is disposed of", func() bool { return len(contextsOf(t, m.URL())) == 0 })
		})
	}
}

func TestPagesAreFoundAgain(t *testing.T) {
	t.Parallel()
	m := cdptest.New(t, cdptest.Options{})
	s := taskOn(t, ownRegistry(t, quick(t)), m.URL(), supervisor.Settings{})
	p, mp := newPage(t, m, s)
	closed, mclosed := newPage(t, m, s)
	// A page that closes, one that crashes, and a popup that opens while nobody is
	// attached.
	var pop *cdptest.Page
	m.Handle("Browser.getVersion", func(*cdptest.Request) cdptest.Reply {
		if pop == nil {
			mclosed.Destroy()
			pop = mp.Top().OpenPopup("http://a.test/pop", false)
		}
		return cdptest.Default
	})
	m.Drop()
	q := again(t, s, p)
	snap := until(t, s, "the closed page to be gone and the popup to be there", func(snap *supervisor.Snapshot) bool {
		_, open := snap.Page(closed.TabID)
		return !open && len(snap.Pages) == 2 && snap.Pages[1].Ready
	})
	if got := snap.Pages[1]; got.TargetID != pop.TargetID() || got.OpenerTab != p.TabID {
		t.Errorf("popup = %+v", got)
	}
	if n := len(mp.Sessions()); n != 1 {
		t.Errorf("the page has %d sessions, want 1", n)
	}
	mp.OpenDialog("confirm", "again", "")
	if d := pending(t, s, dialog.Confirm); d.SessionID != q.SessionID || d.Epoch != s.Snapshot().Epoch {
		t.Errorf("dialog = %+v", d)
	}
	answer(t, s, supervisor.DialogAnswer{Action: "accept"})
}

// TestBudget: connections that come up and do not last are paid for until the
// budget is spent, and a failure more is the end; one that lived long enough
// refills it.
func TestBudget(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name      string
		minUptime time.Duration
		drops     int
		lives     bool
	}{
		{"short-lived connections spend it", time.Hour, link.MaxPostAttachReconnectFailures + 1, false},
		{"one less does not", time.Hour, link.MaxPostAttachReconnectFailures, true},
		{"long-lived ones refill it", time.Nanosecond, 3 * link.MaxPostAttachReconnectFailures, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			m := cdptest.New(t, cdptest.Options{})
			o := quick(t)
			o.MinUptime = tc.minUptime
			r, out := logged(t, supervisor.Options{Link: o})
			s := taskOn(t, r, m.URL(), supervisor.Settings{})
			for i := range tc.drops {
				until(t, s, "the next epoch", func(snap *supervisor.Snapshot) bool {
					return attached(snap, i+1)
				})
				m.MustReceive(t, "Target.getTargets", i) // the last that attaching waits for
				call(t, s, "", "Browser.getVersion", cdptest.M{})
				m.Drop()
			}
			if tc.lives {
				until(t, s, "the last epoch", func(snap *supervisor.Snapshot) bool {
					return attached(snap, tc.drops+1)
				})
				if n := out.count("[WARN]"); n != 0 {
					t.Errorf("%d warnings:\n%s", n, out)
				}
				return
			}
			select {
			case <-s.Done():
			case <-bound(t).Done():
				t.Fatal("the link did not give up")
			}
			eventually(t, "the warning", func() bool { return out.count("[WARN]") == 1 })
		})
	}
}

// attached reports whether the link knows in an epoch what the browser can.
func attached(snap *supervisor.Snapshot, epoch int) bool {
	_, probed := snap.Backend.Capabilities[link.CapDiscover]
	return snap.Connected && snap.Epoch == uint64(epoch) && probed
}

// TestHeartbeatEndsAHalfOpenConnection: the network went away without a word.
func TestHeartbeatEndsAHalfOpenConnection(t *testing.T) {
	t.Parallel()
	m := cdptest.New(t, cdptest.Options{})
	proxy := cdptest.NewProxy(t, cdptest.ProxyOptions{Target: m.URL()})
	o := quick(t)
	o.Heartbeat = 20 * time.Millisecond
	s := taskOn(t, ownRegistry(t, o), proxy.URL(), supervisor.Settings{})
	p, _ := newPage(t, m, s)
	m.Hang("DOM.getDocument")
	ended := make(chan error, 1)
	go func() {
		_, err := s.Call(context.Background(), cdp.Command{SessionID: p.SessionID, Method: "DOM.getDocument"})
		ended <- err
	}()
	m.MustReceive(t, "DOM.getDocument", 1)
	proxy.HalfOpen()
	if err := <-ended; !errors.Is(err, cdp.ErrNoReply) {
		t.Errorf("the call in flight: %v", err)
	}
	q := again(t, s, p)
	call(t, s, q.SessionID, "Runtime.evaluate", cdptest.M{"expression": "1"})
}

func TestDialogOpenAtADropIsOrphanedAndFreed(t *testing.T) {
	t.Parallel()
	onBothAlone(t, plainPages, func(t *testing.T, c carrier) {
		s := c.task(t, supervisor.Settings{})
		p := open(t, s, c.url("a.test/"))
		start(s, p.SessionID, `confirm("open")`)
		d := pending(t, s, dialog.Confirm)
		s.Drop()
		snap := until(t, s, "the connection to be back", func(snap *supervisor.Snapshot) bool {
			q, ok := snap.Page(p.TabID)
			return ok && snap.Connected && q.SessionID != "" && q.SessionID != p.SessionID
		})
		o, ok := snap.Dialog(d.ID)
		if !ok || o.State != dialog.Orphaned || !o.Deadline.Equal(d.Deadline) {
			t.Fatalf("dialog = %+v; want it orphaned with its old deadline %s", o, d.Deadline)
		}
		_, err := s.AnswerDialog(bound(t), supervisor.DialogAnswer{Action: "accept", By: dialog.Agent})
		if fault.CodeOf(err) != fault.DialogOrphaned {
			t.Errorf("answering: %v, want %s", err, fault.DialogOrphaned)
		}
		if err := s.Reload(bound(t), p.TabID); err != nil {
			t.Fatal(err)
		}
		q := wait(t, s, p.TabID, "the page to be free", func(q *supervisor.Page) bool { return q.BlockedBy == "" })
		call(t, s, q.SessionID, "Runtime.evaluate", cdptest.M{"expression": "1"})
		start(s, q.SessionID, `confirm("again")`)
		pending(t, s, dialog.Confirm)
	})
}

// TestDeadlineSurvivesADrop: the watchdog of a dialog that became an orphan frees
// its page when the dialog's own time is up.
func TestDeadlineSurvivesADrop(t *testing.T) {
	t.Parallel()
	onBothAlone(t, plainPages, func(t *testing.T, c carrier) {
		s := c.task(t, supervisor.Settings{})
		p := open(t, s, c.url("a.test/"))
		s.Configure(supervisor.Settings{Policy: &recordingPolicy{verdict: dialog.Verdict{Do: dialog.DoHold, Timeout: 3 * time.Second}}})
		start(s, p.SessionID, `confirm("open")`)
		d := pending(t, s, dialog.Confirm)
		until(t, s, "the policy's verdict", func(snap *supervisor.Snapshot) bool {
			x, ok := snap.Dialog(d.ID)
			if ok {
				d = *x
			}
			return ok && !x.Deciding
		})
		s.Drop()
		until(t, s, "an orphan with its old deadline", func(snap *supervisor.Snapshot) bool {
			o, ok := snap.Dialog(d.ID)
			return ok && o.State == dialog.Orphaned && o.Deadline.Equal(d.Deadline)
		})
		snap := until(t, s, "the watchdog", func(snap *supervisor.Snapshot) bool { _, ok := snap.Closed(d.ID); return ok })
		if x, _ := snap.Closed(d.ID); x.ClosedBy != dialog.Watchdog {
			t.Errorf("closed = %+v", x)
		}
		wait(t, s, p.TabID, "the page to be free", func(q *supervisor.Page) bool { return q.BlockedBy == "" && q.Ready })
	})
}

// gatedLine is a task whose link is restored, after a drop, when the test says so.
func gatedLine(t *testing.T, c carrier, o link.Options) (s *supervisor.Supervisor, proxy *cdptest.Proxy, gate chan struct{}) {
	t.Helper()
	proxy, gate = cdptest.NewProxy(t, cdptest.ProxyOptions{Target: c.ws}), make(chan struct{})
	first := true
	o.Dial = gated(&first, gate)
	return taskOn(t, ownRegistry(t, o), proxy.URL(), supervisor.Settings{}), proxy, gate
}

// TestDialogThatOpenedUnseen: a dialog opens while nobody is attached. No client
// can see or answer it; the page's set-up hangs, is told of, and a reload frees it.
func TestDialogThatOpenedUnseen(t *testing.T) {
	t.Parallel()
	onBothAlone(t, plainPages, func(t *testing.T, c carrier) {
		o := quick(t)
		o.SetupTimeout = 500 * time.Millisecond
		s, proxy, gate := gatedLine(t, c, o)
		p, other := open(t, s, c.url("a.test/")), open(t, s, c.url("b.test/"))
		proxy.Drop()
		until(t, s, "the drop to be noticed", func(snap *supervisor.Snapshot) bool { return !snap.Connected })
		user := c.user(t)
		session := attach(t, user, p.TargetID)
		user.Must(t, session, "Page.enable", nil)
		mark := user.Mark()
		ask(user, session, `alert("unseen")`)
		user.MustWait(t, mark, cdptest.On(session, cdptest.Is("Page.javascriptDialogOpening")))
		user.Close()
		close(gate)
		degraded(t, s, p.TabID+": its set-up gets no answer: a dialog that opened unseen may hold it")
		q := again(t, s, other)
		call(t, s, q.SessionID, "Runtime.evaluate", cdptest.M{"expression": "1"})
		if err := s.Reload(bound(t), p.TabID); err != nil {
			t.Fatal(err)
		}
		r := wait(t, s, p.TabID, "the page to be free", func(q *supervisor.Page) bool { return q.Ready && len(q.Degraded) == 0 })
		call(t, s, r.SessionID, "Runtime.evaluate", cdptest.M{"expression": "1"})
	})
}

// TestClosedWhileDisconnected: the page is gone from the snapshot after the
// reconnect, and the one that was opened by it meanwhile is there.
func TestClosedWhileDisconnected(t *testing.T) {
	t.Parallel()
	onBothAlone(t, framedPages, func(t *testing.T, c carrier) {
		s, proxy, gate := gatedLine(t, c, quick(t))
		p, stays := open(t, s, c.url("a.test/leaf")), open(t, s, c.url("a.test/leaf"))
		proxy.Drop()
		until(t, s, "the drop to be noticed", func(snap *supervisor.Snapshot) bool { return !snap.Connected })
		user := c.user(t)
		user.Must(t, "", "Target.closeTarget", cdptest.M{"targetId": p.TargetID})
		session := attach(t, user, stays.TargetID)
		mark := user.Mark()
		user.Must(t, "", "Target.setDiscoverTargets", cdptest.M{"discover": true})
		ask(user, session, `window.open("/leaf")`) // it may wait for the connection that the browser does not miss yet
		user.MustWait(t, mark, cdptest.Is("Target.targetCreated", "targetInfo.openerId", stays.TargetID))
		close(gate)
		snap := until(t, s, "the pages to be known", func(snap *supervisor.Snapshot) bool {
			_, open := snap.Page(p.TabID)
			return snap.Connected && !open && len(snap.Pages) == 2 && snap.Pages[0].Ready && snap.Pages[1].Ready
		})
		if pop := snap.Pages[1]; pop.OpenerTab != stays.TabID {
			t.Errorf("popup = %+v", pop)
		}
	})
}

// TestFirstReconnectIsAtOnce: a connection that lasted is taken up again without a
// pause.
func TestFirstReconnectIsAtOnce(t *testing.T) {
	t.Parallel()
	m := cdptest.New(t, cdptest.Options{})
	o := quick(t)
	o.BackoffMin, o.BackoffMax = time.Hour, time.Hour
	s := taskOn(t, ownRegistry(t, o), m.URL(), supervisor.Settings{})
	newPage(t, m, s)
	m.Drop()
	until(t, s, "the second epoch", func(snap *supervisor.Snapshot) bool { return attached(snap, 2) })
}
