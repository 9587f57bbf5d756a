package page_test

import (
	"fmt"
	"testing"
	"time"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/page"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// answer accepts the pending dialog and waits until the page is free.
func (b *bench) answer() {
	b.t.Helper()
	if _, err := b.s.AnswerDialog(b.in, supervisor.DialogAnswer{Action: "accept", By: dialog.Agent}); err != nil {
		b.t.Fatalf("AnswerDialog: %v", err)
	}
	b.until("the page to be free", func(st *page.State) bool {
		for _, tab := range st.Tabs {
			if tab.Blocked != nil {
				return false
			}
		}
		return true
	})
}

// dialogPage raises a dialog in each way that an action can: {{kind}} is alert,
// confirm or prompt.
const dialogPage = `<title>D</title><body style="margin:0">
<button id=click onclick="out = %[1]s('c'); ended('click')">click</button>
<button id=down onmousedown="out = %[1]s('d'); ended('down')">down</button>
<button id=hover onmouseenter="out = %[1]s('h'); ended('hover')">hover</button>
<input id=key onkeydown="if (!window.once) { once = 1; out = %[1]s('k'); ended('key') }">
<div id=box style="height:60px;overflow:auto" onscroll="if (!window.once) { once = 1; out = %[1]s('s'); ended('scroll') }"><div style="height:900px"></div><p id=deep>deep</p></div>
<div id=late></div><script>done = []; function ended(w) { done.push(w) }
function timer() { setTimeout(() => { out = %[1]s('t'); ended('timer') }, 30) }</script>`

// TestActionsThatOpenADialog has an action cause each kind of dialog: it must
// say so at once, its own end must be told with the next reply, and the page must
// be of use again.
func TestActionsThatOpenADialog(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"alert", "confirm", "prompt"} {
		for name, args := range map[string]obj{
			"click":     {"type": "click", "selector": "#click"},
			"mousedown": {"type": "click", "selector": "#down"},
			"hover":     {"type": "hover", "selector": "#hover"},
			"press_key": {"type": "press_key", "key": "x"},
			"type":      {"type": "type", "selector": "#key", "text": "xyz"},
			"evaluate":  {"type": "evaluate", "expression": kind + "('e'); 42"},
			"scroll":    {"type": "scroll", "selector": "#box", "to": "bottom"},
			"wait_for":  {"type": "wait_for", "selector": "#never", "timeout": 20},
		} {
			t.Run(kind+" by "+name, func(t *testing.T) {
				t.Parallel()
				b := newBench(t, page.Options{})
				b.open(fmt.Sprintf(dialogPage, kind))
				switch name {
				case "press_key":
					b.eval("document.getElementById('key').focus(); 1")
				case "wait_for":
					b.eval("timer(); 1")
				}
				r := b.do(args)
				if r.OK {
					// A scroll event fires in the frame after the scroll; a hover may be
					// answered before its handler ran.
					b.until("the dialog", func(st *page.State) bool { return st.Tabs[0].Blocked != nil })
				} else if r.Error.Code != fault.BlockedByDialog || r.Error.Details["dialog"] == nil {
					t.Fatalf("%s: %s %v; want blocked_by_dialog with the dialog", r.Error.Code, r.Error.Message, r.Error.Details)
				}
				for _, refused := range []obj{
					{"type": "click", "selector": "#click"}, {"type": "press_key", "key": "a"}, {"type": "extract"},
					{"type": "navigate", "url": "about:blank"}, {"type": "screenshot"}, {"type": "evaluate", "expression": "1"},
				} {
					b.fails(fault.BlockedByDialog, refused)
				}
				b.must(obj{"type": "get_tabs"})
				b.answer()
				b.must(obj{"type": "wait_for", "text": "click", "timeout": 5})
				after := b.do(obj{"type": "evaluate", "expression": "done.length + (window.once || 0)"})
				if !after.OK {
					t.Fatalf("the page is of no use after the answer: %v", after.Error)
				}
			})
		}
	}
}

// TestInterruptedActionIsReported has the end of an evaluation come with the
// next reply.
func TestInterruptedActionIsReported(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{})
	b.open("x")
	b.fails(fault.BlockedByDialog, obj{"type": "evaluate", "expression": "confirm('sure?') ? 'yes' : 'no'"})
	b.answer()
	var earlier []page.Ended
	for len(earlier) == 0 && b.in.Err() == nil {
		earlier = b.do(obj{"type": "evaluate", "expression": "1"}).Earlier
	}
	if len(earlier) != 1 || earlier[0].Action != "evaluate" || !earlier[0].OK {
		t.Fatalf("earlier is %+v, want the end of the evaluation", earlier)
	}
	if got := fmt.Sprintf("%s", earlier[0].Result.(map[string]any)["value"]); got != `"yes"` {
		t.Errorf("the evaluation ended with %v, want yes", got)
	}
}

// TestMouseIsReleasedAfterADialog checks that a button held over a dialog does
// not stay down.
func TestMouseIsReleasedAfterADialog(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{})
	b.open(`<button id=x onmousedown="alert(1)">x</button><script>ups = 0; addEventListener('mouseup', () => ups++)</script>`)
	b.fails(fault.BlockedByDialog, obj{"type": "click", "selector": "#x"})
	b.answer()
	if got := b.eval("new Promise(r => { const i = setInterval(() => { if (ups) { clearInterval(i); r(ups) } }, 10) })"); got != float64(1) {
		t.Errorf("the button was released %v times", got)
	}
}

func TestDialogDuringNavigation(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{})
	site := b.openSite(cdptest.Hosts{"*": cdptest.Paths{
		"/": `<p id=p>start</p><script>onbeforeunload = e => e.preventDefault()</script>`, "/alert": `<script>alert('on load')</script>loaded`,
	}})
	b.must(obj{"type": "click", "selector": "#p"}) // beforeunload needs a gesture
	start := time.Now()
	f := b.fails(fault.BlockedByDialog, obj{"type": "navigate", "url": site.URL("a.test", "/alert")})
	if d, ok := f.Details["dialog"].(*dialog.Dialog); !ok || d.Type != dialog.BeforeUnload {
		t.Errorf("the dialog is %v, want the beforeunload", f.Details["dialog"])
	}
	if _, err := b.s.AnswerDialog(b.in, supervisor.DialogAnswer{Action: "dismiss", By: dialog.Agent}); err != nil {
		t.Fatal(err)
	}
	if got := b.eval("p.textContent"); got != "start" {
		t.Errorf("after the dismissal the page shows %v", got)
	}
	b.fails(fault.BlockedByDialog, obj{"type": "navigate", "url": site.URL("a.test", "/alert")})
	b.answer()
	b.until("the alert of the next page", func(st *page.State) bool { return st.Tabs[0].Blocked != nil })
	b.answer()
	b.must(obj{"type": "wait_for", "text": "loaded"})
	b.fails(fault.BlockedByDialog, obj{"type": "navigate", "url": site.URL("a.test", "/alert?2")})
	b.answer()
	b.fails(fault.BlockedByDialog, obj{"type": "open_tab", "url": site.URL("a.test", "/alert?3")})
	if since := time.Since(start); since > 25*time.Second {
		t.Errorf("all of this took %v: something waited for its deadline", since)
	}
}

// TestDialogsOfOtherDocuments has the dialog come from elsewhere than the top document.
func TestDialogsOfOtherDocuments(t *testing.T) {
	t.Parallel()
	for name, raise := range map[string]string{
		"an OOPIF":         `document.body.innerHTML = '<iframe src="http://b.test:{{port}}/d"></iframe>'`,
		"a srcdoc frame":   `document.body.innerHTML = '<iframe srcdoc="<script>alert(1)<\/script>"></iframe>'`,
		"a frame":          `document.body.innerHTML = '<iframe src="/d"></iframe>'`,
		"a popup, by it":   `window.open('/d')`,
		"a popup, by us":   `{ const w = window.open('/'); setTimeout(() => w.alert(1), 500) }`,
		"a rejected fetch": `fetch('/none').then(() => alert(1))`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, page.Options{Timeout: 5 * time.Second})
			b.openSite(cdptest.Hosts{"*": cdptest.Paths{
				"/": `<button id=x onclick="raise()">raise</button><script>function raise() { setTimeout(() => { ` + raise + ` }, 20) }</script>`, "/d": `<script>alert(1)</script>`,
			}})
			b.must(obj{"type": "click", "selector": "#x"})
			b.until("the dialog", func(st *page.State) bool {
				for _, tab := range st.Tabs {
					if tab.Blocked != nil {
						return true
					}
				}
				return false
			})
			for _, args := range []obj{{"type": "extract"}, {"type": "click", "selector": "button"}, {"type": "evaluate", "expression": "1"}, {"type": "screenshot"}} {
				args["tabId"] = b.host.State().Tabs[0].ID
				r := b.do(args) // any outcome, but one of ours and in time
				if !r.OK && r.Error.Code == fault.InternalError {
					t.Errorf("%v: %s", args["type"], r.Error.Message)
				}
			}
			b.answer()
			b.must(obj{"type": "extract", "tabId": b.host.State().Tabs[0].ID})
		})
	}
}
