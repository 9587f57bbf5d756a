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

// TestTasksDoNotWaitForEachOther acts in one task while another one waits and is
// held by a dialog.
func TestTasksDoNotWaitForEachOther(t *testing.T) {
	t.Parallel()
	held, free := newBench(t, page.Options{}), newBench(t, page.Options{})
	held.open(`<p>held</p>`)
	first := held.host.State().Current
	held.open(`<p>waits</p>`)
	second := held.host.State().Current
	waiting := make(chan *page.Reply, 1)
	go func() {
		waiting <- held.do(obj{"type": "wait_for", "selector": "#never", "timeout": 300, "tabId": second})
	}()
	held.fails(fault.BlockedByDialog, obj{"type": "evaluate", "expression": "alert(1)", "tabId": first})
	free.open(`<button id=x onclick="this.textContent = 'hit'">Go</button>`)
	free.must(obj{"type": "click", "selector": "#x"})
	free.must(obj{"type": "extract"})
	free.must(obj{"type": "screenshot"})
	select {
	case r := <-waiting:
		t.Fatalf("the wait of the other task has ended: %v %v", r.OK, r.Error)
	default:
	}
	held.e.Close()
	if r := <-waiting; r.OK || r.Error.Code != fault.InternalError || r.Error.Message != "aborted by caller" {
		t.Errorf("the wait ended with %v %v", r.OK, r.Error)
	}
}

// TestAnAnswerOvertakesEverything answers a dialog while actions on the task's
// other tab are under way and others wait for them.
func TestAnAnswerOvertakesEverything(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{})
	b.open(`<p>asks</p>`)
	asking := b.host.State().Current
	b.open(`<p>busy</p>`)
	busy := b.host.State().Current
	var wg sync.WaitGroup
	replies := make(chan *page.Reply, 6)
	for range cap(replies) {
		wg.Go(func() {
			replies <- b.do(obj{"type": "evaluate", "expression": "new Promise(() => { document.title = 'begun' })", "tabId": busy})
		})
	}
	b.must(obj{"type": "evaluate", "expression": "1", "tabId": asking})
	b.fails(fault.BlockedByDialog, obj{"type": "evaluate", "expression": "confirm('sure?')", "tabId": asking})
	b.answer()
	b.must(obj{"type": "evaluate", "expression": "1", "tabId": asking})
	if n := len(replies); n != 0 {
		t.Errorf("%d of the endless actions had ended when the dialog was answered", n)
	}
	b.e.Close()
	wg.Wait()
}

// TestInputToABlockedPageIsRefused has each kind of input meet a dialog: Chromium
// would say that it was done, and drop it.
func TestInputToABlockedPageIsRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{})
	b.open(`<button id=x>x</button><input id=i><div style="height:3000px"></div>
<script>got = []; for (const e of ['mousemove', 'mousedown', 'click', 'keydown', 'input', 'scroll']) addEventListener(e, () => got.push(e), true)</script>`)
	b.fails(fault.BlockedByDialog, obj{"type": "evaluate", "expression": "alert(1)"})
	for _, args := range []obj{
		{"type": "click", "selector": "#x"}, {"type": "hover", "selector": "#x"}, {"type": "press_key", "key": "a"},
		{"type": "type", "selector": "#i", "text": "t"}, {"type": "scroll", "to": "bottom"},
	} {
		if f := b.fails(fault.BlockedByDialog, args); f.Details["dialog"] == nil {
			t.Errorf("%v: the refusal names no dialog", args["type"])
		}
	}
	b.answer()
	if got := b.eval("got.join()"); got != "" {
		t.Errorf("the page got %v", got)
	}
}
