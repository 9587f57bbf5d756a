package page_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/page"
	"cdphost/sdk/fault"
)

// cell is one case of the matrix: an action that meets a dialog of a kind which
// is raised in a way.
type cell struct{ action, kind, way string }

var (
	matrixKinds = []string{"alert", "confirm", "prompt", "beforeunload"}
	matrixWays  = []string{"load", "timer", "click", "hover", "key", "evaluate", "popup", "oopif", "srcdoc"}
)

// matrixActions are the thirteen actions, on the page below.
var matrixActions = []struct {
	name string
	args obj
}{
	{"navigate", obj{"url": "{{base}}/left"}},
	{"click", obj{"selector": "#plain"}},
	{"type", obj{"selector": "#field", "text": "some text"}},
	{"press_key", obj{"key": "a"}},
	{"scroll", obj{"to": "bottom"}},
	{"screenshot", obj{}},
	{"extract", obj{}},
	{"wait_for", obj{"text": "never to be seen"}},
	{"hover", obj{"selector": "#plain"}},
	{"evaluate", obj{"expression": "new Promise(done => setTimeout(done, 200, 1))"}},
	{"get_tabs", obj{}},
	{"open_tab", obj{"url": "{{base}}/left"}},
	{"close_tab", obj{}},
}

// senseless tells why a cell does not exist.
func (c cell) senseless() string {
	if c.kind == "beforeunload" && c.way == "load" {
		return "Chrome raises no beforeunload in a page that nobody has touched, and a page that loads has not been touched"
	}
	return ""
}

// crashes tells the cells in which Chromium itself may crash: the frame of a
// dialog goes away just as the dialog opens or is answered. There a truthful
// session_not_found is an outcome too.
func (c cell) crashes() bool {
	return c.way == "oopif" && (c.action == "navigate" || c.action == "close_tab")
}

// died reports whether the bench's browser has ended.
func (b *bench) died() bool {
	select {
	case <-b.chrome.Done():
		return true
	default:
		return false
	}
}

// raiser is a script that defines raise for a kind; it raises once.
func raiser(kind string) string {
	raise := kind + "('m')"
	if kind == "beforeunload" {
		raise = "location.assign('/left')"
	}
	script := "var raised = 0; function raise() { if (!raised++) " + raise + " }"
	if kind == "beforeunload" {
		script += "; onbeforeunload = e => e.preventDefault()"
	}
	return "<script>" + script + "</script>"
}

func matrixSite(kind string) cdptest.Hosts {
	script := raiser(kind)
	framed := script + `<p>framed</p><script>onmessage = () => setTimeout(raise, 50)</script>`
	return cdptest.Hosts{"*": cdptest.Paths{
		"/": `<title>M</title>` + script + `<p><button id=plain>plain</button> <input id=field></p>
			<p><button id=click onclick="raise()">click</button> <button id=hover onmouseenter="raise()">hover</button> <input id=key onkeydown="raise()"></p>
			<div style="height:3000px"></div>`,
		"/load":   script + `<script>raise()</script><p>loaded</p>`,
		"/popup":  script + `<p>popup</p>`,
		"/framed": framed,
		"/srcdoc": `<iframe srcdoc="` + strings.NewReplacer(`"`, "&quot;", "<", "&lt;").Replace(strings.ReplaceAll(framed, "'/left'", "'/left?'")) + `"></iframe>` + `<button id=plain>plain</button> <input id=field><div style="height:3000px"></div>`,
		"/oopif":  `<iframe src="http://b.test:{{port}}/framed"></iframe><button id=plain>plain</button> <input id=field><div style="height:3000px"></div>`,
		"/left":   `<title>Left</title><p>left</p>`,
	}}
}

// matrixDeadline is the deadline of each action of the matrix; matrixSlack is
// what a machine may add to it, far less than the wait for a dialog.
const (
	matrixDeadline = 2 * time.Second
	matrixSlack    = 8 * time.Second
)

// TestDialogMatrix has every action meet every kind of dialog, raised in every
// way: it ends by its deadline with a result or an error of the contract, and the
// page is of use again once the dialog is answered. The tag extra runs all cells.
func TestDialogMatrix(t *testing.T) {
	t.Parallel()
	for i, action := range matrixActions {
		for k, kind := range matrixKinds {
			for w, way := range matrixWays {
				c := cell{action.name, kind, way}
				if c.senseless() != "" || !inMatrix(i, k, w) {
					continue
				}
				t.Run(fmt.Sprintf("%s %s by %s", action.name, kind, way), func(t *testing.T) {
					t.Parallel()
					c.run(t, action.args)
				})
			}
		}
	}
}

func (c cell) run(t *testing.T, given obj) {
	open := newBench
	if c.crashes() {
		open = ownBench
	}
	b := open(t, page.Options{})
	timed := page.New(page.Options{Host: b.host, Timeout: matrixDeadline})
	t.Cleanup(timed.Close)
	site := cdptest.Site(t, matrixSite(c.kind))
	args := obj{"type": c.action}
	for k, v := range given {
		if s, ok := v.(string); ok {
			v = strings.ReplaceAll(s, "{{base}}", strings.TrimSuffix(site.URL("a.test", "/"), "/"))
		}
		args[k] = v
	}
	tabID := c.raise(b, site, args)
	if c.action != "get_tabs" && c.action != "open_tab" {
		args["tabId"] = tabID
	}
	raw, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	r := timed.Do(b.in, raw)
	if took := time.Since(start); took > matrixDeadline+matrixSlack {
		t.Errorf("it took %v", took)
	}
	if !r.OK {
		switch r.Error.Code {
		case fault.BlockedByDialog, fault.Timeout:
		case fault.SessionNotFound:
			if c.crashes() && b.died() {
				return
			}
			t.Errorf("the browser is gone: %s", r.Error.Message)
		default:
			t.Errorf("it failed with %s: %s", r.Error.Code, r.Error.Message)
		}
	}
	left := r.OK && (c.action == "navigate" || c.action == "close_tab")
	b.recover(tabID, !left, c.crashes())
}
