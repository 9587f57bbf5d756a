package frames

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/supervisor"
)

// A page that makes and removes frames for ever costs no more than what it shows.
// It counts the goroutines of the process, so no other test may run meanwhile.
func TestFramesInALoop(t *testing.T) { //nolint:paralleltest // see above
	s := site(t)
	browser := cdptest.Chrome(t)
	h := newHost(t, setup{wsURL: browser.WSURL, plugin: router("error"), limits: everything})
	a := newAgent(t, h, s.URL("a.test", "/"))
	c := lookAt(t, a, browser.WSURL)
	churn := func(n int) {
		t.Helper()
		script := fmt.Sprintf(`(async n => {
			const local = [%q, "about:blank", "data:text/html,x", ""];
			for (let i = 0; i < n; i++) {
				const f = document.createElement("iframe");
				if (i %% 10 == 9) f.src = %q; else if (local[i %% 4]) f.src = local[i %% 4]; else f.srcdoc = "x";
				const loaded = new Promise(r => f.onload = r);
				document.body.append(f);
				if (i %% 2) await loaded;
				f.remove();
			}
			return document.querySelectorAll("iframe").length;
		})(%d)`, s.URL("a.test", "/leaf"), s.URL("b.test", "/leaf"), n)
		reply := a.must(t, "browser_cdp", cdptest.M{
			"method": "Runtime.evaluate", "timeout": 300,
			"params": cdptest.M{"expression": script, "awaitPromise": true, "returnByValue": true},
		})
		if got := cdptest.Field(reply, "result.result.value"); got != "0" {
			t.Fatalf("the loop left %s: %s", got, reply)
		}
		agree(t, a, c, 1)
	}
	churn(20)
	before := runtime.NumGoroutine()
	most, sessions := 0, map[string]bool{}
	watched := make(chan struct{})
	sub := a.supervisor(t).Subscribe(supervisor.Filter{Methods: []string{"Page.frameNavigated"}}, 64)
	sup := a.supervisor(t)
	go func() {
		defer close(watched)
		for range sub.C {
			p, _ := sup.Snapshot().CurrentPage()
			most = max(most, p.Frames.Len())
			for f := range p.Frames.Frames() {
				if f.SessionID != "" && !f.Top {
					sessions[f.SessionID] = true
				}
			}
		}
	}()
	for i := range loopFrames / 100 {
		churn(100)
		t.Logf("%d frames", (i+1)*100)
	}
	sub.Close()
	<-watched
	// One at a time is shown; those whose end is not told yet are few.
	if most > 64 {
		t.Errorf("the table had %d frames", most)
	}
	if p := a.page(t); p.Frames.Len() != 1 || p.Frames.Dropped() != 0 {
		t.Errorf("%d frames, %d dropped", p.Frames.Len(), p.Frames.Dropped())
	}
	// What the last frames started may take a moment to end.
	for ctx := bound(t); runtime.NumGoroutine() > before+4; {
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			t.Fatalf("%d goroutines, and %d before", runtime.NumGoroutine(), before)
		}
	}
	if len(sessions) == 0 {
		t.Error("no frame had a session of its own")
	}
	for id := range sessions {
		if sup.OwnsSession(id) {
			t.Errorf("the session %s of a frame that went is still known", id)
		}
	}
}
