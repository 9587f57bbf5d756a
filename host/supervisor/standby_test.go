package supervisor_test

import (
	"context"
	"strings"
	"testing"

	"cdphost/host/cdp"
	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/endpoint"
	"cdphost/host/link"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// lines are a link's two connections to one browser. Its own goes through a proxy,
// which can damage it, and is restored when the test says so; the standby's is direct,
// and made when the test says so.
type lines struct {
	*cdptest.Proxy
	mock             *cdptest.Server // nil for Chromium
	standby, restore chan struct{}
}

// cut ends the link's own connection, and waits until the mock misses it.
func (l *lines) cut(t *testing.T) {
	t.Helper()
	left := 0
	if l.mock != nil {
		left = l.mock.Connections() - 1
	}
	l.Drop()
	if l.mock != nil {
		eventually(t, "the browser misses the connection", func() bool { return l.mock.Connections() <= left })
	}
}

func twoLines(t *testing.T, c carrier) (*lines, link.Options) {
	t.Helper()
	l := &lines{cdptest.NewProxy(t, cdptest.ProxyOptions{Target: c.ws}), c.mock, make(chan struct{}), make(chan struct{})}
	direct, err := endpoint.ParseURL(c.ws)
	if err != nil {
		t.Fatal(err)
	}
	o := quick(t)
	o.NoStandby = false
	n := 0 // the link dials one connection after another
	o.Dial = func(ctx context.Context, u endpoint.URL) (cdp.Transport, error) {
		gate := l.restore
		if n++; n == 2 {
			gate, u = l.standby, direct
		}
		if n > 1 {
			select {
			case <-gate:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		return endpoint.Dial(ctx, u, endpoint.DialOptions{})
	}
	return l, o
}

// watched is a task on a page that the standby watches, too, and a user of the page.
type watched struct {
	*supervisor.Supervisor
	lines   *lines
	page    *supervisor.Page
	user    *cdptest.Client
	session string // of the user's
}

func watchedPage(t *testing.T, c carrier) *watched {
	t.Helper()
	l, o := twoLines(t, c)
	close(l.standby)
	w := &watched{lines: l}
	w.Supervisor = taskOn(t, ownRegistry(t, o), l.URL(), supervisor.Settings{})
	w.page = open(t, w.Supervisor, c.url("a.test/"))
	eventually(t, "the standby watches the page", func() bool { return w.StandbyReady(w.page.TabID) })
	w.user = c.user(t)
	w.session = attach(t, w.user, w.page.TargetID)
	w.user.Must(t, w.session, "Page.enable", nil)
	return w
}

// asks has the page ask something, and returns when the browser has told of it.
func (w *watched) asks(t *testing.T, expression string) <-chan cdptest.Answer {
	t.Helper()
	mark := w.user.Mark()
	answer := ask(w.user, w.session, expression)
	w.user.MustWait(t, mark, cdptest.On(w.session, cdptest.Is("Page.javascriptDialogOpening")))
	return answer
}

// cut ends the link's own connection until the test restores it.
func (w *watched) cut(t *testing.T) {
	t.Helper()
	w.lines.cut(t)
	until(t, w.Supervisor, "the drop to be noticed", func(snap *supervisor.Snapshot) bool { return !snap.Connected })
}

// restored waits for the page's next session, on which a dialog is seen and answered.
func (w *watched) restored(t *testing.T) {
	t.Helper()
	close(w.lines.restore)
	q := wait(t, w.Supervisor, w.page.TabID, "the page to be set up again", func(q *supervisor.Page) bool {
		return q.Ready && q.SessionID != "" && q.SessionID != w.page.SessionID && q.BlockedBy == ""
	})
	answer := w.asks(t, `confirm("on the next connection")`)
	if d := pending(t, w.Supervisor, dialog.Confirm); d.SessionID != q.SessionID || d.Message != "on the next connection" {
		t.Errorf("the next dialog is %+v, want it on session %s", d, q.SessionID)
	}
	w.says(t, "accept")
	if v := got(t, answer); v != "true" {
		t.Errorf("the page saw %q", v)
	}
}

// says answers the one dialog as an agent does.
func (w *watched) says(t *testing.T, action string) dialog.Closed {
	t.Helper()
	c := answer(t, w.Supervisor, supervisor.DialogAnswer{Action: action})
	if c.ClosedBy != dialog.Agent {
		t.Errorf("closed by %s, want the agent", c.ClosedBy)
	}
	return c
}

// TestStandby: while the link's own connection is down or silent, the standby is the
// one that sees what dialogs do.
func TestStandby(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		run  func(t *testing.T, w *watched)
	}{
		{"open when the connection drops", func(t *testing.T, w *watched) {
			page := w.asks(t, `confirm("open")`)
			d := pending(t, w.Supervisor, dialog.Confirm)
			w.cut(t)
			pending(t, w.Supervisor, dialog.Confirm) // again, by way of the standby
			if c := w.says(t, "accept"); c.ID != d.ID {
				t.Errorf("dialog %s became %s", d.ID, c.ID)
			}
			if v := got(t, page); v != "true" {
				t.Errorf("the page saw %q", v)
			}
			w.restored(t)
		}},
		{"opens while only the standby is connected", func(t *testing.T, w *watched) {
			w.cut(t)
			page := w.asks(t, `prompt("name?","nobody")`)
			d := pending(t, w.Supervisor, dialog.Prompt)
			if q, _ := w.Snapshot().Page(w.page.TabID); q.BlockedBy != d.ID || d.DefaultPrompt != "nobody" || d.TabID != w.page.TabID {
				t.Errorf("dialog = %+v, the page is blocked by %q", d, q.BlockedBy)
			}
			w.says(t, "accept")
			if v := got(t, page); v != "nobody" {
				t.Errorf("the page saw %q", v)
			}
			w.restored(t)
		}},
		{"opens while only the standby is connected, answered after that", func(t *testing.T, w *watched) {
			w.cut(t)
			page := w.asks(t, `confirm("early")`)
			d := pending(t, w.Supervisor, dialog.Confirm)
			close(w.lines.restore)
			until(t, w.Supervisor, "the connection to be back", func(snap *supervisor.Snapshot) bool {
				q, ok := snap.Page(w.page.TabID)
				return ok && snap.Connected && q.SessionID != "" && q.SessionID != w.page.SessionID
			})
			if c := w.says(t, "dismiss"); c.ID != d.ID {
				t.Errorf("dialog %s became %s", d.ID, c.ID)
			}
			if v := got(t, page); v != "false" {
				t.Errorf("the page saw %q", v)
			}
			w.lines.restore = make(chan struct{})
			w.restored(t)
		}},
		{"opens while the connection is silent", func(t *testing.T, w *watched) {
			w.lines.HalfOpen()
			page := w.asks(t, `confirm("unheard")`)
			w.cut(t)
			pending(t, w.Supervisor, dialog.Confirm)
			w.says(t, "accept")
			if v := got(t, page); v != "true" {
				t.Errorf("the page saw %q", v)
			}
			w.restored(t)
		}},
		{"closes while the connection is silent", func(t *testing.T, w *watched) {
			page := w.asks(t, `confirm("closes")`)
			d := pending(t, w.Supervisor, dialog.Confirm)
			w.lines.HalfOpen()
			w.user.Must(t, w.session, "Page.handleJavaScriptDialog", cdptest.M{"accept": true})
			got(t, page)
			w.cut(t)
			snap := until(t, w.Supervisor, "its end", func(snap *supervisor.Snapshot) bool { return len(snap.Pending) == 0 })
			if c, ok := snap.Closed(d.ID); !ok || c.ClosedBy != dialog.Remote || c.Action != dialog.Accept {
				t.Errorf("closed = %+v", c)
			}
			w.restored(t)
		}},
		{"another one follows while the connection is silent", func(t *testing.T, w *watched) {
			first := w.asks(t, `confirm("first")`)
			d := pending(t, w.Supervisor, dialog.Confirm)
			w.lines.HalfOpen()
			w.user.Must(t, w.session, "Page.handleJavaScriptDialog", cdptest.M{"accept": true})
			got(t, first)
			second := w.asks(t, `prompt("second")`)
			w.cut(t)
			if n := pending(t, w.Supervisor, dialog.Prompt); n.ID == d.ID || n.Message != "second" {
				t.Errorf("the second is %+v", n)
			}
			if c, ok := w.Snapshot().Closed(d.ID); !ok || c.ClosedBy != dialog.Remote || len(w.Snapshot().Pending) != 1 {
				t.Errorf("the first is %+v, pending %+v", c, w.Snapshot().Pending)
			}
			_, err := w.AnswerDialog(bound(t), supervisor.DialogAnswer{ID: d.ID, Action: "accept", By: dialog.Agent})
			if fault.CodeOf(err) != fault.DialogClosed {
				t.Errorf("answering the first: %v, want %s", err, fault.DialogClosed)
			}
			w.says(t, "dismiss")
			if v := got(t, second); v != "null" {
				t.Errorf("the page saw %q", v)
			}
			w.restored(t)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			onBothAlone(t, plainPages, func(t *testing.T, c carrier) { tc.run(t, watchedPage(t, c)) })
		})
	}
}

// TestFirstStatementOfAPopupIsTheStandbysToo: the connection drops right behind the
// event of a dialog that a popup's first statement opened, and the standby answers it.
func TestFirstStatementOfAPopupIsTheStandbysToo(t *testing.T) {
	t.Parallel()
	docs := documents{"a.test/": {Title: "one"}, "a.test/pop": {Title: "popup", Script: "confirm('first statement')"}}
	for _, features := range []string{"", "noopener"} {
		t.Run("features "+features, func(t *testing.T) {
			t.Parallel()
			onBothAlone(t, docs, func(t *testing.T, c carrier) {
				w := watchedPage(t, c)
				w.lines.DropAfter("Page.javascriptDialogOpening")
				start(w.Supervisor, w.page.SessionID, `window.open("/pop","_blank","`+features+`")`)
				until(t, w.Supervisor, "the drop to be noticed", func(snap *supervisor.Snapshot) bool { return !snap.Connected })
				if d := pending(t, w.Supervisor, dialog.Confirm); d.TabID == w.page.TabID || d.Epoch != link.StandbyEpoch {
					t.Errorf("dialog = %+v", d)
				}
				if x := w.says(t, "accept"); x.Action != dialog.Accept {
					t.Errorf("closed = %+v", x)
				}
				w.restored(t)
			})
		})
	}
}

// TestFrameGoesWhileOnlyTheStandbyIsConnected: the frame of an open dialog is removed.
// Answering would take the browser down now, so nobody can; and the page is good again
// after it has navigated, or can be closed.
func TestFrameGoesWhileOnlyTheStandbyIsConnected(t *testing.T) {
	t.Parallel()
	docs := documents{
		"a.test/": {Title: "top", Frames: []string{"http://b.test:{{port}}/"}}, "a.test/two": {Title: "two"},
		"b.test/": {Title: "other"},
	}
	for _, tc := range []struct {
		name string
		when func(t *testing.T, w *watched) // with the dialog open and the connection up
		then func(t *testing.T, w *watched, c carrier)
	}{
		{"seen, then navigated", func(t *testing.T, w *watched) { w.cut(t) }, func(t *testing.T, w *watched, c carrier) {
			q, _ := w.Snapshot().Page(w.page.TabID)
			call(t, w.Supervisor, q.SessionID, "Page.navigate", cdptest.M{"url": c.url("a.test/two")})
			wait(t, w.Supervisor, w.page.TabID, "the page to be watched again", func(q *supervisor.Page) bool { return !q.NeedsReload && q.URL == c.url("a.test/two") })
			w.user.Must(t, w.session, "Page.enable", nil)
			page := w.asks(t, `confirm("new")`)
			pending(t, w.Supervisor, dialog.Confirm)
			w.says(t, "accept")
			if v := got(t, page); v != "true" {
				t.Errorf("the page saw %q", v)
			}
		}},
		{"seen, then closed", func(t *testing.T, w *watched) { w.cut(t) }, closes},
		{"unheard, then closed", func(_ *testing.T, w *watched) { w.lines.HalfOpen() }, closes},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			onBothAlone(t, docs, func(t *testing.T, c carrier) {
				w := watchedPage(t, c)
				frameID, _ := frameAt(t, w.Supervisor, w.page.TabID, c.url("b.test/"))
				mark := w.user.Mark()
				ask(w.user, attach(t, w.user, frameID), `confirm("in a frame")`)
				w.user.MustWait(t, mark, cdptest.On(w.session, cdptest.Is("Page.javascriptDialogOpening")))
				d := pending(t, w.Supervisor, dialog.Confirm)
				tc.when(t, w)
				// The user's own session must not watch when the page goes either.
				w.user.Must(t, w.session, "Page.disable", nil)
				got(t, ask(w.user, w.session, "document.querySelector('iframe').remove()"))
				if w.Snapshot().Connected {
					w.cut(t)
				}
				snap := until(t, w.Supervisor, "its end", func(snap *supervisor.Snapshot) bool { _, closed := snap.Closed(d.ID); return closed })
				if x, _ := snap.Closed(d.ID); x.Reason != dialog.ReasonFrameGone {
					t.Errorf("closed = %+v", x)
				}
				_, err := w.AnswerDialog(bound(t), supervisor.DialogAnswer{ID: d.ID, Action: "accept", By: dialog.Agent})
				if fault.CodeOf(err) != fault.DialogClosed {
					t.Errorf("answering: %v, want %s", err, fault.DialogClosed)
				}
				close(w.lines.restore)
				wait(t, w.Supervisor, w.page.TabID, "the page to be set up again", func(q *supervisor.Page) bool {
					return q.Ready && q.NeedsReload && q.SessionID != "" && q.SessionID != w.page.SessionID
				})
				tc.then(t, w, c)
				w.user.Must(t, "", "Target.getTargets", nil) // the browser lives
			})
		})
	}
}

func closes(t *testing.T, w *watched, _ carrier) {
	t.Helper()
	if err := w.ClosePage(bound(t), w.page.TabID); err != nil {
		t.Fatal(err)
	}
}

// TestStandbyThatCameLate: a dialog that opened before the standby watched its page
// can't be answered by it, and nobody is told that it can.
func TestStandbyThatCameLate(t *testing.T) {
	t.Parallel()
	onBothAlone(t, plainPages, func(t *testing.T, c carrier) {
		l, o := twoLines(t, c)
		s := taskOn(t, ownRegistry(t, o), l.URL(), supervisor.Settings{})
		p := open(t, s, c.url("a.test/"))
		start(s, p.SessionID, `confirm("early")`)
		d := pending(t, s, dialog.Confirm)
		close(l.standby)
		eventually(t, "the standby watches the page", func() bool { return s.StandbyReady(p.TabID) })
		l.cut(t)
		snap := until(t, s, "the drop to be noticed", func(snap *supervisor.Snapshot) bool { return !snap.Connected })
		if x, ok := snap.Dialog(d.ID); !ok || x.State != dialog.Orphaned {
			t.Errorf("dialog = %+v, want it %s", x, dialog.Orphaned)
		}
		_, err := s.AnswerDialog(bound(t), supervisor.DialogAnswer{Action: "accept", By: dialog.Agent})
		if fault.CodeOf(err) != fault.DialogOrphaned || !strings.Contains(err.Error(), "reload or navigate tab "+p.TabID) {
			t.Errorf("answering: %v, want %s and what to do", err, fault.DialogOrphaned)
		}
		close(l.restore)
		again(t, s, p)
		if err := s.Reload(bound(t), p.TabID); err != nil {
			t.Fatal(err)
		}
		wait(t, s, p.TabID, "the page to be free", func(q *supervisor.Page) bool { return q.BlockedBy == "" && q.Ready })
	})
}

// TestStandbyEnds: a dialog that only the standby could answer is an orphan when the
// standby's connection ends, too.
func TestStandbyEnds(t *testing.T) {
	t.Parallel()
	m := cdptest.New(t, cdptest.Options{})
	l, o := twoLines(t, carrier{ws: m.URL(), mock: m})
	close(l.standby)
	s := taskOn(t, ownRegistry(t, o), l.URL(), supervisor.Settings{})
	p, mp := newPage(t, m, s)
	eventually(t, "the standby watches the page", func() bool { return s.StandbyReady(p.TabID) })
	l.cut(t)
	until(t, s, "the drop to be noticed", func(snap *supervisor.Snapshot) bool { return !snap.Connected })
	mp.OpenDialog("confirm", "open", "")
	d := pending(t, s, dialog.Confirm)
	m.Drop()
	until(t, s, "an orphan", func(snap *supervisor.Snapshot) bool {
		x, ok := snap.Dialog(d.ID)
		return ok && x.State == dialog.Orphaned
	})
	close(l.restore)
	again(t, s, p)
	if err := s.Reload(bound(t), p.TabID); err != nil {
		t.Fatal(err)
	}
	wait(t, s, p.TabID, "the page to be free", func(q *supervisor.Page) bool { return q.BlockedBy == "" && q.Ready })
}
