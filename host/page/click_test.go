package page_test

import (
	"strings"
	"testing"
	"time"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/page"
	"cdphost/sdk/fault"
)

func TestClickIsTrustedAndHitsItsTarget(t *testing.T) {
	t.Parallel()
	for name, html := range map[string]string{
		"plain":                 `<button id=x>x</button>`,
		"far down":              `<div style="height:5000px"></div><button id=x>x</button>`,
		"in a scrolled box":     `<div style="height:100px;overflow:auto"><div style="height:900px"></div><button id=x>x</button></div>`,
		"nested boxes":          `<div style="height:100px;overflow:auto"><div style="height:900px"></div><div style="width:90px;overflow:auto"><div style="width:900px"></div><button id=x style="margin-left:600px">x</button></div></div>`,
		"transformed":           `<button id=x style="transform:rotate(40deg) scale(2);margin:90px">x</button>`,
		"under a fixed head":    `<div style="position:fixed;top:0;left:0;right:0;height:200px;background:red"></div><div style="height:220px"></div><button id=x>x</button><div style="height:3000px"></div><script>scrollTo(0,210)</script>`,
		"partly covered":        `<button id=x style="width:300px">x</button><div style="position:absolute;left:100px;top:0;width:100px;height:90px;background:red"></div>`,
		"child of the button":   `<button onclick="1" id=x><svg width=20 height=20><rect width=20 height=20 /></svg></button>`,
		"appears later":         `<div id=at></div><script>setTimeout(() => at.innerHTML = '<button id=x onclick="hit(event)">x</button>', 300)</script>`,
		"enabled later":         `<button id=x disabled>x</button><script>setTimeout(() => x.disabled = false, 300)</script>`,
		"shown later":           `<button id=x style="display:none">x</button><script>setTimeout(() => x.style.display = '', 300)</script>`,
		"uncovered later":       `<button id=x>x</button><div id=c style="position:fixed;inset:0"></div><script>setTimeout(() => c.remove(), 300)</script>`,
		"sliding in":            `<style>@keyframes s{from{transform:translateX(600px)}}</style><button id=x style="animation:s .4s linear">x</button>`,
		"label of a hidden box": `<label for=x>Agree</label><input id=x type=checkbox style="position:absolute;opacity:0">`,
		"inline over two lines": `<div style="width:60px"><a href="#" id=x>some words in a narrow box</a></div>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, page.Options{})
			b.open(`<script>hits = []; function hit(e) { hits.push(e.isTrusted && e.currentTarget.id) }</script>` + html +
				`<script>window.x && x.addEventListener('click', hit)</script>`)
			b.must(obj{"type": "click", "selector": "#x"})
			if got := b.eval("JSON.stringify(hits)"); got != `["x"]` {
				t.Errorf("the clicks that arrived: %v, want one trusted on x", got)
			}
		})
	}
}

func TestClickRefusals(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		html string
		code fault.Code
		says string
	}{
		"covered":       {`<button id=x>x</button><div id=shade style="position:fixed;inset:0;background:#0008"></div>`, fault.ElementObscured, "#shade"},
		"disabled":      {`<button id=x disabled>x</button>`, fault.Timeout, "disabled"},
		"aria-disabled": {`<div aria-disabled=true><button id=x>x</button></div>`, fault.Timeout, "disabled"},
		"invisible":     {`<button id=x style="visibility:hidden">x</button>`, fault.Timeout, "not visible"},
		"absent":        {`<p>nothing</p>`, fault.ElementNotFound, "#x"},
		"file input":    {`<input type=file id=x>`, fault.SchemeBlocked, "upload"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, page.Options{Timeout: 6 * time.Second})
			b.open(tc.html)
			f := b.fails(tc.code, obj{"type": "click", "selector": "#x"})
			if !strings.Contains(f.Message, tc.says) {
				t.Errorf("the message %q does not say %q", f.Message, tc.says)
			}
		})
	}
}

func TestClickThroughFrames(t *testing.T) {
	t.Parallel()
	inner := `<div style="height:700px"></div><button onclick="document.title='hit'; this.textContent='hit ' + event.isTrusted">Deep</button>`
	for name, hosts := range map[string]cdptest.Hosts{
		"same process": {"*": cdptest.Paths{"/": `<div style="height:2000px"></div><iframe src="/in" style="border:9px solid;padding:7px;margin-left:40px"></iframe>`, "/in": inner}},
		"another site": {"a.test": cdptest.Paths{"/": `<div style="height:2000px"></div><iframe src="http://b.test:{{port}}/" style="border:9px solid;padding:7px;margin-left:40px"></iframe>`},
			"b.test": cdptest.Paths{"/": inner}},
		"two deep": {"a.test": cdptest.Paths{"/": `<iframe src="http://b.test:{{port}}/" style="margin:30px;width:400px;height:300px"></iframe>`},
			"b.test": cdptest.Paths{"/": `<div style="height:900px"></div><iframe src="http://c.test:{{port}}/" style="margin:20px"></iframe>`},
			"c.test": cdptest.Paths{"/": inner}},
		"scaled": {"a.test": cdptest.Paths{"/": `<iframe src="http://b.test:{{port}}/" style="transform:scale(.5);transform-origin:0 0;width:600px;height:400px"></iframe>`},
			"b.test": cdptest.Paths{"/": inner}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, page.Options{})
			b.openSite(hosts)
			b.must(obj{"type": "wait_for", "selector": "button", "state": "attached"})
			uid := b.uid("Deep")
			b.must(obj{"type": "click", "uid": uid})
			b.must(obj{"type": "wait_for", "text": "hit true", "timeout": 5})
			if again := b.uid("hit true"); again != uid {
				t.Errorf("the button was %s and is now %s", uid, again)
			}
		})
	}
}

func TestClickReportsWhereItLed(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{})
	site := b.openSite(cdptest.Hosts{"*": cdptest.Paths{
		"/": `<a href="/next" id=n>Next</a><a href="/pop" target=_blank id=p>Pop</a>`, "/next": `<title>Next one</title>arrived`, "/pop": `popped`,
	}})
	r := b.must(obj{"type": "click", "selector": "#p"})
	if opened, _ := r["opened_tabs"].([]any); len(opened) != 1 {
		t.Errorf("opened_tabs is %v, want one", r["opened_tabs"])
	}
	r = b.must(obj{"type": "click", "selector": "#n"})
	if r["url"] != site.URL("a.test", "/next") || r["navigated"] != true {
		t.Errorf("the result %v does not say that the page is at /next", r)
	}
	if got := b.eval("document.body.innerText"); got != "arrived" {
		t.Errorf("after the click the page shows %v", got)
	}
}

func TestHover(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{})
	b.open(`<div id=x onmouseenter="this.textContent='in ' + event.isTrusted" style="margin-top:2000px">out</div>`)
	b.must(obj{"type": "hover", "selector": "#x"})
	if got := b.eval("x.textContent"); got != "in true" {
		t.Errorf("after the hover it reads %v", got)
	}
}
