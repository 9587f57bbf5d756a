package page_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/page"
	"cdphost/sdk/fault"
)

func TestWaitFor(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		html, change string
		args         obj
	}{
		"an element to come":      {``, `document.body.innerHTML = '<p id=x>x</p>'`, obj{"selector": "#x"}},
		"an element to show":      {`<p id=x hidden>x</p>`, `x.hidden = false`, obj{"selector": "#x"}},
		"an element to hide":      {`<p id=x>x</p>`, `x.style.display = 'none'`, obj{"selector": "#x", "state": "hidden"}},
		"an element to go":        {`<p id=x>x</p>`, `x.remove()`, obj{"selector": "#x", "state": "detached"}},
		"an element to attach":    {``, `document.body.innerHTML = '<p id=x hidden></p>'`, obj{"selector": "#x", "state": "attached"}},
		"a button to be enabled":  {`<button id=x disabled>x</button>`, `x.disabled = false`, obj{"selector": "#x", "state": "enabled"}},
		"a button to be disabled": {`<button id=x>x</button>`, `x.disabled = true`, obj{"selector": "#x", "state": "disabled"}},
		"a text to come":          {`<p id=x>wait</p>`, `x.innerHTML = 'All <b>done</b>!'`, obj{"text": "all done"}},
		"a text to go":            {`<p id=x>Loading</p>`, `x.textContent = ''`, obj{"text": "Loading", "state": "hidden"}},
		"a url":                   {``, `history.pushState({}, '', '/there?x=1')`, obj{"url": "/there"}},
		"a url pattern":           {``, `history.pushState({}, '', '/there?x=1')`, obj{"url": "http://*/there?x=*"}},
		"an element in a frame":   {`<iframe src="/in"></iframe>`, `frames[0].document.body.innerHTML = '<p id=x>x</p>'`, obj{"selector": "#x"}},
		"a frame's element":       {``, `document.body.innerHTML = '<iframe src="http://b.test:' + location.port + '/x">'`, obj{"selector": "#x"}},
		"text in a shadow root":   {`<div id=h></div>`, `h.attachShadow({mode: 'open'}).innerHTML = '<p>In the shadow</p>'`, obj{"text": "in the shadow"}},
		"the next document":       {``, `location.href = '/x'`, obj{"selector": "#x"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, page.Options{})
			b.openSite(cdptest.Hosts{"*": cdptest.Paths{"/": tc.html + `<script>change = () => setTimeout(() => { ` + tc.change + ` }, 200)</script>`, "/in": "in", "/x": "<p id=x>x</p>"}})
			b.eval("change(); 1")
			tc.args["type"], tc.args["timeout"] = "wait_for", 15
			b.must(tc.args)
		})
	}
}

func TestWaitForEnds(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{})
	b.open(`<p id=x>x</p><button>Go</button>`)
	for _, args := range []obj{
		{"selector": "#no"}, {"text": "no"}, {"url": "no"}, {"selector": "#x", "state": "hidden"}, {"uid": b.uid("Go"), "state": "hidden"},
	} {
		args["type"], args["timeout"] = "wait_for", 0.3
		b.fails(fault.Timeout, args)
	}
	uid := b.uid("Go")
	b.eval("setTimeout(() => document.querySelector('button').remove(), 100); 1")
	b.must(obj{"type": "wait_for", "uid": uid, "state": "detached"})
}

func TestActionsAreAbortedAtOnce(t *testing.T) {
	t.Parallel()
	for name, args := range map[string]obj{
		"wait_for": {"type": "wait_for", "text": "never", "timeout": 60},
		"evaluate": {"type": "evaluate", "expression": "new Promise(() => {})"},
		"click":    {"type": "click", "selector": "#never"},
		"navigate": {"type": "navigate", "url": "http://a.test:{{port}}/slow"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, page.Options{})
			site := b.openSite(cdptest.Hosts{"*": cdptest.Paths{"/": "x"}, "slow.test": slow{t.Context()}})
			if name == "navigate" {
				args["url"] = site.URL("slow.test", "/")
			}
			ctx, cancel := context.WithCancel(b.in)
			time.AfterFunc(200*time.Millisecond, cancel)
			raw, err := json.Marshal(args)
			if err != nil {
				t.Fatal(err)
			}
			r := b.e.Do(ctx, raw)
			if r.OK || r.Error.Code != fault.InternalError || r.Error.Message != "aborted by caller" {
				t.Errorf("the reply is %+v %+v, want internal_error: aborted by caller", r, r.Error)
			}
			b.must(obj{"type": "get_tabs"})
		})
	}
}

func TestDeadlines(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{Timeout: 5 * time.Second})
	b.open("x")
	b.fails(fault.Timeout, obj{"type": "evaluate", "expression": "new Promise(() => {})"})
	b.fails(fault.ElementNotFound, obj{"type": "click", "selector": "#never"})
}

func TestClosedWhileWaiting(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{})
	b.open("x")
	id := b.host.State().Current
	time.AfterFunc(200*time.Millisecond, func() { _ = b.s.ClosePage(b.in, id) })
	b.fails(fault.TabNotFound, obj{"type": "wait_for", "text": "never", "timeout": 60})
	b.fails(fault.TabNotFound, obj{"type": "extract", "tabId": id})
	b.fails(fault.TabNotFound, obj{"type": "close_tab", "tabId": id})
}

func TestCrashWhileWaiting(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{})
	site := b.openSite(cdptest.Hosts{"*": cdptest.Paths{"/": "alive"}})
	time.AfterFunc(200*time.Millisecond, func() {
		_, _ = b.host.Call(b.in, b.host.State().Tabs[0].Session, "Page.crash", nil, nil)
	})
	b.fails(fault.InternalError, obj{"type": "wait_for", "text": "never", "timeout": 60})
	b.must(obj{"type": "navigate", "url": site.URL("a.test", "/")})
	b.must(obj{"type": "wait_for", "text": "alive"})
}
