package page_test

import (
	"bytes"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"strings"
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/page"
	"cdphost/sdk/fault"
)

func TestScroll(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{})
	b.open(`<!doctype html><div id=box style="height:100px;overflow:auto"><div style="height:1000px"></div><p id=in>in</p></div><div style="height:5000px"></div><p id=end>end</p>`)
	for _, tc := range []struct {
		args obj
		at   string
	}{
		{obj{"dy": 300}, "300 0"},
		{obj{"pages": 1}, ""},
		{obj{"to": "bottom"}, ""},
		{obj{"to": "top"}, "0 0"},
		{obj{"selector": "#box", "dy": 200}, "0 200"},
		{obj{"selector": "#in", "to": "top"}, "0 0"},
	} {
		tc.args["type"] = "scroll"
		r := b.must(tc.args)
		if got := b.eval("scrollY + ' ' + box.scrollTop"); tc.at != "" && got != tc.at {
			t.Errorf("after %v the page and the box stand at %v, want %s (%v)", tc.args, got, tc.at, r)
		}
		if tc.args["to"] == "bottom" && r["at_bottom"] != true {
			t.Errorf("at the bottom the reply is %v", r)
		}
	}
	b.must(obj{"type": "scroll", "selector": "#end"})
	if got := b.eval("end.getBoundingClientRect().top < innerHeight"); got != true {
		t.Error("the element was not brought into view")
	}
}

func TestScrollFindsTheContainer(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{})
	b.open(`<!doctype html><body style="margin:0;overflow:hidden"><div id=app style="height:100vh;overflow:auto"><div style="height:5000px"></div></div>`)
	r := b.must(obj{"type": "scroll", "pages": 1})
	if got := b.eval("app.scrollTop > 300"); got != true || r["container"] == "" {
		t.Errorf("the container was not scrolled: %v", r)
	}
}

func TestScreenshot(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{})
	b.openSite(cdptest.Hosts{"a.test": cdptest.Paths{"/": `<!doctype html><body style="margin:0"><button style="position:absolute;left:100px;top:200px;width:80px;height:40px">B</button><div style="height:3000px"></div><iframe src="http://b.test:{{port}}/" style="border:0;width:300px;height:200px"></iframe>`},
		"b.test": cdptest.Paths{"/": `<body style="margin:0"><div id=red style="margin:50px;width:60px;height:30px;background:#f00"></div><button>In</button>`}})
	view := b.eval("[innerWidth, innerHeight]").([]any)
	for name, tc := range map[string]struct {
		args          obj
		width, height float64
	}{
		"viewport":           {obj{}, view[0].(float64), view[1].(float64)},
		"labelled":           {obj{"labels": true}, view[0].(float64), view[1].(float64)},
		"element":            {obj{"selector": "button"}, 80, 40},
		"element in a frame": {obj{"selector": "#red"}, 60, 30},
		"full page":          {obj{"full_page": true}, view[0].(float64), 3204},
	} {
		t.Run(name, func(t *testing.T) {
			b.eval("scrollTo(0, 0)")
			tc.args["type"] = "screenshot"
			reply := b.do(tc.args)
			if !reply.OK || len(reply.Images) != 1 {
				t.Fatalf("%+v %v", reply, reply.Error)
			}
			pic, format, err := image.Decode(bytes.NewReader(reply.Images[0].Data))
			if err != nil || "image/"+format != reply.Images[0].MIME {
				t.Fatalf("%v; %s is %s", err, reply.Images[0].MIME, format)
			}
			size := pic.Bounds().Size()
			if dx, dy := float64(size.X)-tc.width, float64(size.Y)-tc.height; dx > 16 || dx < -16 || dy > 20 || dy < -20 {
				t.Errorf("the picture is %v, want %vx%v", size, tc.width, tc.height)
			}
			if name == "element in a frame" {
				if r, g, _, _ := pic.At(30, 15).RGBA(); r>>8 < 250 || g>>8 > 5 {
					t.Errorf("the middle of the red element is %v", pic.At(30, 15))
				}
			}
			if name == "labelled" {
				if r, g, bl, _ := pic.At(100, 210).RGBA(); r>>8 != 200 || g != 0 || bl>>8 != 80 {
					t.Errorf("the button has no frame: %v", pic.At(100, 210))
				}
			}
		})
	}
	if got := b.eval("document.documentElement.outerHTML.includes('label')"); got != false {
		t.Error("labels were left in the page")
	}
}

func TestEvaluate(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{})
	b.openSite(cdptest.Hosts{"a.test": cdptest.Paths{"/": `<script>name='top'</script><iframe src="http://b.test:{{port}}/"></iframe><iframe src="/in"></iframe>`, "/in": `<script>self.who='same'</script>`},
		"b.test": cdptest.Paths{"/": `<script>self.who='other'</script>`}})
	for expression, want := range map[string]any{
		"1+1": float64(2), "'a'": "a", "null": nil, "Promise.resolve(7)": float64(7), "await Promise.resolve(8)": float64(8),
		"NaN": "NaN", "10n": "10n", "[1,{a:2}].length": float64(2),
	} {
		if got := b.eval(expression); got != want {
			t.Errorf("%s is %v, want %v", expression, got, want)
		}
	}
	for expression, says := range map[string]string{
		"throw new Error('boom')": "boom", "nope": "nope is not defined", "1 +": "SyntaxError", "Promise.reject('no')": "no",
		"const o = {}; o.o = o; o": "JSON",
	} {
		if f := b.fails(fault.EvaluateFailed, obj{"type": "evaluate", "expression": expression}); !strings.Contains(f.Message, says) {
			t.Errorf("%s fails with %q, want %q in it", expression, f.Message, says)
		}
	}
	for _, f := range b.until("the frames", func(st *page.State) bool { return len(st.Tabs[0].Frames) == 3 && st.Tabs[0].Frames[2].Context != "" }).Tabs[0].Frames[1:] {
		want := "same"
		if strings.Contains(f.URL, "b.test") {
			want = "other"
		}
		if got := b.must(obj{"type": "evaluate", "expression": "who", "frame_id": f.ID})["value"]; got != want {
			t.Errorf("in %s who is %v", f.URL, got)
		}
	}
	r := b.must(obj{"type": "evaluate", "expression": "'x'.repeat(200000)"})
	if r["truncated"] != true || len(r["value"].(string)) > 70000 {
		t.Errorf("a long value has %d bytes, truncated %v", len(r["value"].(string)), r["truncated"])
	}
}

func TestNavigationAndTabs(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{BlockedDomains: []string{"bad.test"}})
	b.fails(fault.TabNotFound, obj{"type": "extract"})
	site := b.openSite(cdptest.Hosts{"*": cdptest.Paths{
		"/": `<title>Home</title><a id=out href="http://bad.test:{{port}}/">out</a><a id=pop target=_blank href="http://www.bad.test:{{port}}/">pop</a>`, "/2": `<title>Two</title>`,
	}})
	r := b.must(obj{"type": "navigate", "url": site.URL("a.test", "/2")})
	if r["title"] != "Two" || r["url"] != site.URL("a.test", "/2") {
		t.Errorf("navigate says %v", r)
	}
	b.must(obj{"type": "navigate", "url": site.URL("a.test", "/2#part")})
	b.fails(fault.NavigationFailed, obj{"type": "navigate", "url": "http://127.0.0.1:1/"})
	for url, code := range map[string]fault.Code{
		"file:///etc/passwd": fault.SchemeBlocked, "javascript:alert(1)": fault.SchemeBlocked, "chrome://settings": fault.SchemeBlocked,
		"view-source:http://a.test": fault.SchemeBlocked, site.URL("bad.test", "/"): fault.DomainBlocked, site.URL("x.bad.test", "/"): fault.DomainBlocked,
	} {
		b.fails(code, obj{"type": "navigate", "url": url})
		b.fails(code, obj{"type": "open_tab", "url": url})
	}
	b.must(obj{"type": "navigate", "url": site.URL("a.test", "/")})
	b.fails(fault.DomainBlocked, obj{"type": "click", "selector": "#pop"})
	b.fails(fault.DomainBlocked, obj{"type": "click", "selector": "#out"})
	b.until("the page to be emptied", func(st *page.State) bool { return len(st.Tabs) == 1 && st.Tabs[0].URL == "about:blank" })

	second := b.must(obj{"type": "open_tab", "url": site.URL("a.test", "/2")})["tabId"]
	tabs := b.must(obj{"type": "get_tabs"})["tabs"].([]any)
	if len(tabs) != 2 || tabs[1].(obj)["tabId"] != second || tabs[1].(obj)["current"] != true {
		t.Errorf("the tabs are %v", tabs)
	}
	if s := tabs[1].(obj)["session"].(obj); s["action_count"] != float64(1) || s["domain"] == nil {
		t.Errorf("the session is %v", s)
	}
	b.must(obj{"type": "close_tab", "tabId": second})
	b.fails(fault.TabNotFound, obj{"type": "extract", "tabId": second})
	third := b.must(obj{"type": "open_tab", "url": site.URL("a.test", "/2")})["tabId"]
	if third == second {
		t.Errorf("the id %v was given twice", third)
	}
	b.e.Stop("stopped by the operator")
	if f := b.fails(fault.SessionNotFound, obj{"type": "extract"}); !strings.Contains(f.Message, "operator") {
		t.Errorf("after the stop: %s", f.Message)
	}
}
