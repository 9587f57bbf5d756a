package supervisor_test

import (
	"context"
	"errors"
	"testing"

	"cdphost/host/cdp"
	"cdphost/host/cdp/cdptest"
	"cdphost/host/endpoint"
	"cdphost/host/link"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"

	"github.com/hashicorp/go-hclog"
)

// ownRegistry is a registry whose links may be dropped without harm to other
// tests.
func ownRegistry(t *testing.T, o link.Options) *supervisor.Registry {
	t.Helper()
	r := supervisor.NewRegistry(supervisor.Options{Logger: hclog.NewNullLogger(), Link: o})
	t.Cleanup(func() { r.StopAll(context.Background()) })
	return r
}

func TestPagesSurviveADrop(t *testing.T) {
	t.Parallel()
	site := framed(t)
	r := ownRegistry(t, link.Options{})
	s := taskOn(t, r, cdptest.Chrome(t).WSURL, supervisor.Settings{})
	p := open(t, s, site.URL("a.test", "/"))
	frameAt(t, s, p.TabID, site.URL("c.test", "/"))
	call(t, s, p.SessionID, "Runtime.evaluate", cdptest.M{"expression": "self.mark=42"})
	inFlight := make(chan error, 1)
	go func() {
		_, err := s.Call(context.Background(), cdp.Command{SessionID: p.SessionID, Method: "Runtime.evaluate",
			Params: cdp.Marshal(cdptest.M{"expression": "self.flying=true,new Promise(()=>{})", "awaitPromise": true})})
		inFlight <- err
	}()
	eventually(t, "the call is in flight", func() bool {
		return cdptest.Field(call(t, s, p.SessionID, "Runtime.evaluate", cdptest.M{"expression": "self.flying"}), "result.value") == "true"
	})
	old := s.Snapshot().Epoch
	s.Drop()
	if err := <-inFlight; !errors.Is(err, cdp.ErrNoReply) || !errors.Is(err, cdp.ErrClosed) {
		t.Errorf("the call in flight: %v", err)
	}
	again := wait(t, s, p.TabID, "the page to be found again", func(q *supervisor.Page) bool { return q.Ready && q.SessionID != "" && q.SessionID != p.SessionID })
	if got := s.Snapshot().Epoch; got != old+1 {
		t.Errorf("epoch = %d, want %d", got, old+1)
	}
	if again.TargetID != p.TargetID || again.URL != p.URL {
		t.Errorf("page = %+v", again)
	}
	raw := call(t, s, again.SessionID, "Runtime.evaluate", cdptest.M{"expression": "self.mark"})
	if got := cdptest.Field(raw, "result.value"); got != "42" {
		t.Errorf("the page's mark is %q: it is another document", got)
	}
	frameAt(t, s, p.TabID, site.URL("c.test", "/"))
	_, err := s.Call(bound(t), cdp.Command{SessionID: p.SessionID, Method: "Runtime.evaluate"})
	if fault.CodeOf(err) != fault.SessionNotFound {
		t.Errorf("a stale session: %v, want %s", err, fault.SessionNotFound)
	}
}

func TestLaunchedBrowserThatDiesIsReplaced(t *testing.T) {
	t.Parallel()
	site := framed(t)
	r := ownRegistry(t, link.Options{})
	path, err := endpoint.FindBrowser("")
	if err != nil {
		t.Fatal(err)
	}
	key := supervisor.Key{Caller: "test", TaskID: "dies"}
	s, err := r.GetOrStart(bound(t), key, endpoint.Spec{Kind: endpoint.Local, Executable: path, Headless: true,
		Args: []string{"--host-resolver-rules=MAP *.test 127.0.0.1"}}, supervisor.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, s, site.URL("a.test", "/leaf"))
	// A browser ends without an answer when it is told to crash.
	_, _ = s.Call(bound(t), cdp.Command{Method: "Browser.crash"})
	snap := until(t, s, "the next browser", func(snap *supervisor.Snapshot) bool { return snap.Connected && snap.Epoch > 1 })
	if len(snap.Lost) != 1 || snap.Lost[0].TabID != p.TabID || snap.Lost[0].URL != p.URL {
		t.Errorf("lost = %+v", snap.Lost)
	}
	if len(snap.Pages) != 0 {
		t.Errorf("pages = %v", snap.Pages)
	}
	next := open(t, s, site.URL("a.test", "/leaf"))
	if next.TabID == p.TabID {
		t.Error("a tab id was given twice")
	}
}
