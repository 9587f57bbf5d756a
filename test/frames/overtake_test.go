package frames

import (
	"fmt"
	"testing"

	"cdphost/host/cdp/cdptest"
)

// Navigations that overtake each other leave the frame that the last one wanted.
func TestNavigationsThatOvertake(t *testing.T) {
	t.Parallel()
	s := site(t)
	a, b, c := s.URL("a.test", "/leaf"), s.URL("b.test", "/leaf"), s.URL("c.test", "/leaf")
	ag := newAgent(t, onShared(t, "evaluate"), s.URL("a.test", "/"))
	second := lookAt(t, ag, cdptest.SharedChrome(t).WSURL)
	ag.atTop(t, add("src="+a))
	for _, last := range []string{a, b, c, "about:blank", a, b} {
		ag.atTop(t, fmt.Sprintf(`(async f => {
			for (let i = 0; i < 12; i++) {
				f.src = [%q, %q, %q][i %% 3];
				await new Promise(r => setTimeout(r, i * 4));
			}
			f.src = %q;
		})(document.querySelector("iframe"))`, b, a, c, last))
		for _, n := range agree(t, ag, second, 2) {
			ag.loaded(t, n.ID)
		}
	}
}

// A navigation to another process that is given up leaves the frame as it was, with
// its process and its document.
func TestNavigationsThatAreGivenUp(t *testing.T) {
	t.Parallel()
	s := site(t)
	a, b := s.URL("a.test", "/leaf"), s.URL("b.test", "/other")
	ag := newAgent(t, onShared(t, "evaluate"), s.URL("a.test", "/"))
	second := lookAt(t, ag, cdptest.SharedChrome(t).WSURL)
	ag.atTop(t, add("src="+a))
	ag.loaded(t, agree(t, ag, second, 2)[1].ID)
	for ms := range 25 {
		ag.atTop(t, fmt.Sprintf(`(async f => {
			f.src = %q;
			await new Promise(r => setTimeout(r, %d));
			stop();
		})(document.querySelector("iframe"))`, b, ms))
		n := agree(t, ag, second, 2)[1]
		reply, refused := ag.call(t, "browser_cdp", cdptest.M{
			"method": "Runtime.evaluate", "frame_id": n.ID, "params": cdptest.M{"expression": "location.href"},
		})
		// What came too late to be given up may arrive only now.
		if refused != nil {
			refused.wants(t, "sent_no_reply", "navigated to "+b)
		} else if got := cdptest.Field(reply, "result.result.value"); got != a && got != b {
			t.Errorf("given up after %d ms: it runs in %s", ms, got)
		}
		t.Logf("given up after %d ms: %v", ms, n)
		// And then it may take the frame from a navigation that began before it.
		for ctx := bound(t); agree(t, ag, second, 2)[1].URL != a; {
			if ctx.Err() != nil {
				t.Fatalf("the frame never went back after %d ms", ms)
			}
			ag.atTop(t, settled(fmt.Sprintf("document.querySelector('iframe').src=%q", a), "document.querySelector('iframe')"))
		}
	}
}
