package page_test

import (
	"fmt"
	"sync"
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/page"
	"cdphost/sdk/fault"
)

// TestActionsOnOneTabTakeTurns starts many at once; each must see the page as the
// one before it left it.
func TestActionsOnOneTabTakeTurns(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{})
	b.open(`<input id=x><script>busy = 0; most = 0</script>`)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			r := b.do(obj{"type": "evaluate", "expression": "most = Math.max(most, ++busy); new Promise(r => setTimeout(() => { busy--; r() }, 20))"})
			if !r.OK {
				t.Errorf("%s: %s", r.Error.Code, r.Error.Message)
			}
		})
	}
	wg.Wait()
	if most := b.eval("most"); most != float64(1) {
		t.Errorf("%v actions ran on the page at once", most)
	}
}

// TestTabsDoNotWaitForEachOther acts on one tab while another is held by a dialog
// and a third by an endless wait.
func TestTabsDoNotWaitForEachOther(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{})
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{"/": `<button onclick="this.textContent = 'hit'">Go</button>`}})
	var tabs []any
	for i := range 3 {
		tabs = append(tabs, b.must(obj{"type": "open_tab", "url": site.URL(fmt.Sprintf("h%d.test", i), "/")})["tabId"])
	}
	b.fails(fault.BlockedByDialog, obj{"type": "evaluate", "expression": "alert(1)", "tabId": tabs[0]})
	waiting := make(chan *page.Reply, 1)
	go func() {
		waiting <- b.do(obj{"type": "wait_for", "selector": "#now", "timeout": 30, "tabId": tabs[1]})
	}()
	b.must(obj{"type": "click", "selector": "button", "tabId": tabs[2]})
	b.must(obj{"type": "wait_for", "text": "hit", "tabId": tabs[2]})
	p, _ := b.s.Snapshot().Page(fmt.Sprint(tabs[1]))
	if _, err := b.host.Call(b.in, p.SessionID, "Runtime.evaluate", obj{"expression": "document.body.id = 'now'"}, nil); err != nil {
		t.Fatal(err)
	}
	if r := <-waiting; !r.OK {
		t.Errorf("the wait ended with %s: %s", r.Error.Code, r.Error.Message)
	}
}

// TestBackgroundTabsTakeInput acts on a tab that another one covers.
func TestBackgroundTabsTakeInput(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{})
	b.open(`<button id=x onmouseenter="over = true" onclick="this.textContent = 'hit'">Go</button><input id=i>`)
	first := b.host.State().Current
	b.open(`<p>in front</p>`)
	b.must(obj{"type": "click", "selector": "#x", "tabId": first})
	b.must(obj{"type": "type", "selector": "#i", "text": "typed", "tabId": first})
	if got := b.eval("x.textContent + over + i.value"); got != "hittruetyped" {
		t.Errorf("the page in the background has %v", got)
	}
	r := b.do(obj{"type": "screenshot", "tabId": first})
	if !r.OK {
		t.Errorf("a screenshot in the background: %s", r.Error.Message)
	}
}
