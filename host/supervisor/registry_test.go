package supervisor_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

func TestGetOrStartIsIdempotent(t *testing.T) {
	t.Parallel()
	m := cdptest.New(t, cdptest.Options{})
	r := ownRegistry(t, quick(t))
	key := supervisor.Key{Caller: "c", TaskID: "one"}
	const starters = 16
	var got [starters]*supervisor.Supervisor
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() {
			s, err := r.GetOrStart(bound(t), key, cdpSpec(t, m.URL()), supervisor.Settings{})
			if err != nil {
				t.Error(err)
			}
			got[i] = s
		})
	}
	wg.Wait()
	for _, s := range got {
		if s != got[0] {
			t.Fatal("two supervisors for one task")
		}
	}
	if n := len(m.Sent("Browser.getVersion")); n != 1 {
		t.Errorf("%d connections were made, want 1", n)
	}
	// Another spelling of the same address is the same endpoint.
	again, err := r.GetOrStart(bound(t), key, cdpSpec(t, m.URL()+"/"), supervisor.Settings{})
	if err != nil || again != got[0] {
		t.Errorf("again: %p, %v; want %p", again, err, got[0])
	}
	if s, ok := r.Get(key); !ok || s != got[0] {
		t.Errorf("Get: %p, %v", s, ok)
	}
	r.Stop(bound(t), key)
	if _, ok := r.Get(key); ok {
		t.Error("Get after Stop")
	}
	eventually(t, "the socket closes", func() bool { return m.Connections() == 0 })
	if _, known := r.Known(key); !known {
		t.Error("the record went with the supervisor")
	}
}

func TestChangedEndpointCrossesNoState(t *testing.T) {
	t.Parallel()
	first, second := cdptest.New(t, cdptest.Options{}), cdptest.New(t, cdptest.Options{})
	r := ownRegistry(t, quick(t))
	key := supervisor.Key{Caller: "c", TaskID: "moves"}
	old, err := r.GetOrStart(bound(t), key, cdpSpec(t, first.URL()), supervisor.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	p, mp := newPage(t, first, old)
	mp.OpenDialog("confirm", "still open", "")
	pending(t, old, "confirm")
	mp.Top().Console("error", "of the old browser")

	now, err := r.GetOrStart(bound(t), key, cdpSpec(t, second.URL()), supervisor.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if now == old {
		t.Fatal("the same supervisor for another endpoint")
	}
	select {
	case <-old.Done():
	default:
		t.Error("the old supervisor runs on")
	}
	if ids := contextsOf(t, first.URL()); len(ids) != 0 {
		t.Errorf("contexts left on the old browser: %v", ids)
	}
	eventually(t, "the old sockets close", func() bool { return first.Connections() == 0 })
	snap := now.Snapshot()
	if len(snap.Pages)+len(snap.Pending)+len(snap.Recent)+len(snap.Lost)+len(now.Console()) != 0 || snap.Current != "" {
		t.Errorf("state crossed: %+v", snap)
	}
	q, _ := newPage(t, second, now)
	if q.TabID == p.TabID {
		t.Errorf("the tab id %s was given twice", q.TabID)
	}
}

func TestStopDuringAStartLeavesNothing(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"Browser.getVersion", "Target.setAutoAttach", "Target.setDiscoverTargets"} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			m := cdptest.New(t, cdptest.Options{})
			m.Hang(method)
			r := ownRegistry(t, quick(t))
			key := supervisor.Key{Caller: "c", TaskID: "stopped"}
			ended := make(chan error, 1)
			go func() {
				_, err := r.GetOrStart(context.Background(), key, cdpSpec(t, m.URL()), supervisor.Settings{})
				ended <- err
			}()
			m.MustReceive(t, method, 1)
			r.Stop(bound(t), key)
			if err := <-ended; fault.CodeOf(err) != fault.Aborted {
				t.Errorf("the starter got %v, want %s", err, fault.Aborted)
			}
			eventually(t, "the socket closes", func() bool { return m.Connections() == 0 })
			m.Handle(method, nil)
			if _, err := r.GetOrStart(bound(t), key, cdpSpec(t, m.URL()), supervisor.Settings{}); err != nil {
				t.Errorf("the next start: %v", err)
			}
		})
	}
}

// TestStopOfTheOpenerSparesTheOthers: two tasks start on one browser, and the one
// that connects is stopped meanwhile.
func TestStopOfTheOpenerSparesTheOthers(t *testing.T) {
	t.Parallel()
	m := cdptest.New(t, cdptest.Options{})
	m.Hang("Browser.getVersion")
	r := ownRegistry(t, quick(t))
	opener, other := supervisor.Key{Caller: "c", TaskID: "opener"}, supervisor.Key{Caller: "c", TaskID: "other"}
	var wg sync.WaitGroup
	wg.Go(func() { _, _ = r.GetOrStart(context.Background(), opener, cdpSpec(t, m.URL()), supervisor.Settings{}) })
	m.MustReceive(t, "Browser.getVersion", 1)
	var err error
	wg.Go(func() {
		_, err = r.GetOrStart(context.Background(), other, cdpSpec(t, m.URL()), supervisor.Settings{})
	})
	m.Handle("Browser.getVersion", nil)
	r.Stop(bound(t), opener)
	wg.Wait()
	if err != nil {
		t.Errorf("the other task: %v", err)
	}
	if _, ok := r.Get(other); !ok {
		t.Error("the other task has no supervisor")
	}
}

// TestStopWhileAPageIsMade: what the browser makes after the task has left, or
// after its caller has gone, is undone.
func TestStopWhileAPageIsMade(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, method string
		userOwned    bool
		stop         bool // the task is stopped; else only the call is given up
	}{
		{"context, task stopped", "Target.createBrowserContext", false, true},
		{"context, call given up", "Target.createBrowserContext", false, false},
		{"page, task stopped", "Target.createTarget", false, true},
		{"page, call given up", "Target.createTarget", false, false},
		{"page of a user's browser, task stopped", "Target.createTarget", true, true},
		{"page of a user's browser, call given up", "Target.createTarget", true, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			m := cdptest.New(t, cdptest.Options{})
			before := len(m.Pages())
			r := ownRegistry(t, quick(t))
			spec := cdpSpec(t, m.URL())
			spec.UserOwned = tc.userOwned
			// Another task keeps the link alive, so that nothing goes with it.
			if _, err := r.GetOrStart(bound(t), supervisor.Key{TaskID: "stays"}, spec, supervisor.Settings{}); err != nil {
				t.Fatal(err)
			}
			key := supervisor.Key{TaskID: "goes"}
			s, err := r.GetOrStart(bound(t), key, spec, supervisor.Settings{})
			if err != nil {
				t.Fatal(err)
			}
			// The browser does what it is asked, and its answer is late.
			late := make(chan func(), 1)
			m.Handle(tc.method, func(req *cdptest.Request) cdptest.Reply {
				late <- func() {
					c := cdptest.Dial(t, m.URL())
					defer c.Close()
					m.Handle(tc.method, nil)
					result, err := c.Call(t.Context(), "", tc.method, req.Params)
					var refused *cdptest.Error
					errors.As(err, &refused)
					req.Answer(cdptest.Reply{Result: result, Err: refused})
				}
				return cdptest.NoReply
			})
			ctx, cancel := context.WithCancel(t.Context())
			opened := make(chan error, 1)
			go func() {
				_, err := s.OpenPage(ctx)
				opened <- err
			}()
			answer := <-late
			if tc.stop {
				r.Stop(bound(t), key)
			} else {
				cancel()
				if err := <-opened; err == nil {
					t.Error("OpenPage succeeded though it was given up")
				}
			}
			answer()
			if tc.stop {
				if err := <-opened; err == nil {
					t.Error("OpenPage succeeded though its task was stopped")
				}
			}
			cancel()
			r.Stop(bound(t), key)
			eventually(t, "the context is disposed of", func() bool { return len(contextsOf(t, m.URL())) == 0 })
			eventually(t, "the page is closed", func() bool { return len(m.Pages()) == before })
		})
	}
}

func TestSpentBudgetEvictsOnlyItsOwnEntry(t *testing.T) {
	t.Parallel()
	lives := cdptest.New(t, cdptest.Options{})
	dies, err := cdptest.Listen(cdptest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, out := logged(t, supervisor.Options{Link: quick(t)})
	start := func(id string, m *cdptest.Server) *supervisor.Supervisor {
		s, err := r.GetOrStart(bound(t), supervisor.Key{TaskID: id}, cdpSpec(t, m.URL()), supervisor.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	a, b, other := start("a", dies), start("b", dies), start("other", lives)
	p, _ := newPage(t, lives, other)
	if err := dies.Close(); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*supervisor.Supervisor{a, b} {
		select {
		case <-s.Done():
		case <-bound(t).Done():
			t.Fatal("the supervisor was not ended")
		}
		if _, ok := r.Get(s.Key()); ok {
			t.Errorf("task %s still has a supervisor", s.Key().TaskID)
		}
		if _, err := s.OpenPage(bound(t)); err == nil {
			t.Error("a page was opened on a lost browser")
		}
	}
	if s, ok := r.Get(other.Key()); !ok || s != other {
		t.Error("the other browser's task was evicted")
	}
	call(t, other, p.SessionID, "Runtime.evaluate", cdptest.M{"expression": "1"})
	eventually(t, "the warning", func() bool { return out.count("[WARN]") == 1 })
	// The entry that comes next is not the old supervisor's to evict.
	if _, err := r.GetOrStart(bound(t), a.Key(), cdpSpec(t, lives.URL()), supervisor.Settings{}); err != nil {
		t.Errorf("the next use: %v", err)
	}
	r.StopAll(bound(t))
	if n := out.count("[WARN]"); n != 1 {
		t.Errorf("%d warnings, want 1:\n%s", n, out)
	}
}

func TestStartErrorsNameTheCauseAndHideSecrets(t *testing.T) {
	t.Parallel()
	const secret = "s3cr3tt0ken"
	silent := listen(t, func(net.Conn) {})
	hangs := cdptest.New(t, cdptest.Options{})
	hangs.Hang("Browser.getVersion")
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "hello", http.StatusTeapot) }))
	t.Cleanup(plain.Close)
	host := func(url string) string { _, h, _ := strings.Cut(url, "://"); h, _, _ = strings.Cut(h, "/"); return h }
	for _, tc := range []struct {
		name, url string
		code      fault.Code
		names     string // what the user reads of the cause
	}{
		{"nothing listens", "ws://127.0.0.1:1/devtools/browser/x?token=" + secret, fault.EndpointUnreachable, "127.0.0.1:1"},
		{"nothing listens, by port", "http://127.0.0.1:1?token=" + secret, fault.EndpointUnreachable, "127.0.0.1:1"},
		{"accepts and says nothing", "ws://" + silent + "/devtools/browser/x?token=" + secret, fault.EndpointUnreachable, silent},
		{"accepts and says nothing, by port", "http://" + silent + "?token=" + secret, fault.EndpointUnreachable, silent},
		{"speaks HTTP only", "http://user:" + secret + "@" + host(plain.URL) + "?token=" + secret, fault.EndpointNotCDP, host(plain.URL)},
		{"a socket that is no browser", hangs.URL() + "?token=" + secret, fault.EndpointNotCDP, "Browser.getVersion"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			r, out := logged(t, supervisor.Options{StartTimeout: 300 * time.Millisecond, Link: quick(t)})
			key := supervisor.Key{TaskID: "fails"}
			_, err := r.GetOrStart(bound(t), key, cdpSpec(t, tc.url), supervisor.Settings{})
			if fault.CodeOf(err) != tc.code {
				t.Fatalf("%v, want %s", err, tc.code)
			}
			var f *fault.Error
			if !errors.As(err, &f) || !strings.Contains(f.Message, tc.names) {
				t.Errorf("the message %q does not name %q", err, tc.names)
			}
			if strings.Contains(err.Error()+out.String(), secret) {
				t.Errorf("the secret is in %q or the log\n%s", err, out)
			}
			if _, ok := r.Get(key); ok {
				t.Error("a failed start left an entry")
			}
		})
	}
}

// listen accepts connections until the test ends.
func listen(t *testing.T, serve func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var conns []net.Conn
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			conns = append(conns, c)
			serve(c)
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		wg.Wait()
		for _, c := range conns {
			_ = c.Close()
		}
	})
	return l.Addr().String()
}

func TestStopAllRefusesNewTasks(t *testing.T) {
	t.Parallel()
	m := cdptest.New(t, cdptest.Options{})
	r := ownRegistry(t, quick(t))
	for _, id := range []string{"1", "2", "3"} {
		if _, err := r.GetOrStart(bound(t), supervisor.Key{TaskID: id}, cdpSpec(t, m.URL()), supervisor.Settings{}); err != nil {
			t.Fatal(err)
		}
	}
	r.StopAll(bound(t))
	eventually(t, "the sockets close", func() bool { return m.Connections() == 0 })
	_, err := r.GetOrStart(bound(t), supervisor.Key{TaskID: "4"}, cdpSpec(t, m.URL()), supervisor.Settings{})
	if fault.CodeOf(err) != fault.NoSupervisor {
		t.Errorf("after StopAll: %v, want %s", err, fault.NoSupervisor)
	}
}
