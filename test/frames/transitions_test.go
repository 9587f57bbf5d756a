package frames

import (
	"testing"

	"cdphost/host/cdp/cdptest"
)

// site serves every kind of page that the tests need, on several sites.
func site(t testing.TB) *cdptest.Pages {
	t.Helper()
	pages := cdptest.Paths{
		"/":      `<title>empty</title><p>empty</p>`,
		"/leaf":  `<title>leaf</title><p>leaf</p>`,
		"/other": `<title>other</title><p>other</p>`,
		"/button": `<body style="margin:0"><button id=b style="width:300px;height:100px" onclick="self.clicks=(self.clicks||0)+1">Press</button>` +
			`<input id=i style="width:300px">`,
		"/two":    `<iframe id=f src="http://b.test:{{port}}/leaf"></iframe><iframe id=g src="/leaf"></iframe>`,
		"/holder": `<iframe id=f src="/leaf"></iframe>`,
	}
	return cdptest.Site(t, cdptest.Hosts{"*": pages})
}

// add puts an iframe with these attributes into a document and waits for its load.
func add(attributes string) string {
	return insert("<iframe " + attributes + "></iframe>")
}

// insert puts HTML at the end of a document and waits for the load of what it holds.
func insert(html string) string {
	return settled("document.body.insertAdjacentHTML('beforeend', `"+html+"`)", "document.body.lastElementChild")
}

// settled does something that makes an element load, and waits for that,
// at most 10 s.
func settled(do, element string) string {
	return "(async () => {const loads = new Set(); let wake = () => {};" +
		"document.addEventListener('load', (e) => {loads.add(e.target); wake()}, true);" +
		do + "; const el = " + element + ";" +
		"await new Promise(r => {setTimeout(r, 10000); wake = () => loads.has(el) && r(); wake()}); return 0})()"
}

// step is one thing done to a page, in the top frame unless a frame is named by
// its place in document order.
type step struct {
	in    int
	do    string
	count int // frames after it
}

// Each case is a way that a page's frames can go. After each step the host and
// the second client have to see the same.
func TestTransitions(t *testing.T) {
	t.Parallel()
	s := site(t)
	a, b, c, d := s.URL("a.test", "/leaf"), s.URL("b.test", "/leaf"), s.URL("c.test", "/leaf"), s.URL("d.test", "/leaf")
	go2 := func(url string) string {
		return settled("const f=document.querySelector('iframe');f.src='"+url+"'", "f")
	}
	const leave = "setTimeout(() => location='"
	for _, tc := range []struct {
		name  string
		steps []step
	}{
		{"local to remote to local", []step{{do: add("src=" + a), count: 2}, {do: go2(b), count: 2}, {do: go2(a), count: 2}, {do: go2(b), count: 2}}},
		{"remote to another site", []step{{do: add("src=" + b), count: 2}, {do: go2(c), count: 2}, {do: go2(s.URL("c.test", "/other")), count: 2}}},
		{"a frame goes by itself", []step{{do: add("src=" + b), count: 2}, {in: 1, do: leave + c + "'), 0", count: 2}, {in: 1, do: leave + a + "'), 0", count: 2}}},
		{"detach of a local frame", []step{{do: add("src=" + a), count: 2}, {do: "document.querySelector('iframe').remove()", count: 1}}},
		{"detach of a remote frame", []step{{do: add("src=" + b), count: 2}, {do: "document.querySelector('iframe').remove()", count: 1}}},
		{"detach with frames inside", []step{
			{do: add("src=" + b), count: 2}, {in: 1, do: add("src=" + c), count: 3}, {in: 2, do: add("src=" + b), count: 4},
			{do: "document.querySelector('iframe').remove()", count: 1},
		}},
		{"detach of the middle one", []step{
			{do: add("src=" + b), count: 2}, {in: 1, do: add("src=" + c), count: 3}, {in: 2, do: add("src=" + d), count: 4},
			{in: 1, do: "document.querySelector('iframe').remove()", count: 2},
		}},
		{"moved in the document", []step{
			{do: add("src=" + b), count: 2}, {do: add("src=" + c), count: 3},
			{do: "document.body.append(document.querySelector('iframe')), 0", count: 3},
		}},
		{"nested three deep", []step{{do: add("src=" + b), count: 2}, {in: 1, do: add("src=" + c), count: 3}, {in: 2, do: add("src=" + d), count: 4}}},
		{"nested in a site that comes back", []step{{do: add("src=" + b), count: 2}, {in: 1, do: add("src=" + a), count: 3}, {in: 2, do: add("src=" + b), count: 4}}},
		{"local in remote in local", []step{{do: add("src=" + a), count: 2}, {in: 1, do: add("src=" + b), count: 3}, {in: 2, do: add("src=" + b), count: 4}}},
		{"the middle one becomes local", []step{
			{do: add("src=" + b), count: 2}, {in: 1, do: add("src=" + c), count: 3}, {do: go2(a), count: 2}, {in: 1, do: add("src=" + c), count: 3},
		}},
		{"siblings of one site", []step{{do: add("src=" + b), count: 2}, {do: add("src=" + b), count: 3}, {do: add("src=" + a), count: 4}, {do: add("src=" + b), count: 5}}},
		{"srcdoc", []step{{do: add("srcdoc='<p>hello'"), count: 2}}},
		{"srcdoc with a remote frame", []step{{do: add("srcdoc='<iframe src=" + b + "></iframe>'"), count: 3}}},
		{"srcdoc inside a remote frame", []step{{do: add("src=" + b), count: 2}, {in: 1, do: add("srcdoc='<p>hello'"), count: 3}}},
		{"no src", []step{{do: add(""), count: 2}}},
		{"about:blank and back", []step{{do: add("src=about:blank"), count: 2}, {do: go2(b), count: 2}, {do: go2("about:blank"), count: 2}}},
		{"a fragment", []step{{do: add("src=" + b), count: 2}, {do: "document.querySelector('iframe').src='" + b + "#here', 0", count: 2}}},
		{"history.pushState", []step{{do: add("src=" + b), count: 2}, {in: 1, do: "history.pushState({}, '', '/pushed')", count: 2}}},
		{"document.open", []step{{do: add("src=about:blank"), count: 2}, {do: "(d=>{d.open();d.write('<iframe srcdoc=x></iframe>');d.close()})(document.querySelector('iframe').contentDocument)", count: 3}}},
		{"data:", []step{{do: add("src='data:text/html,<p>data'"), count: 2}}},
		{"blob:", []step{{do: "(f=>{f.src=URL.createObjectURL(new Blob(['<p>blob'],{type:'text/html'}));document.body.append(f)})(document.createElement('iframe'))", count: 2}}},
		{"sandboxed", []step{{do: add("sandbox=allow-scripts src=" + a), count: 2}}},
		{"sandboxed and remote", []step{{do: add("sandbox=allow-scripts src=" + b), count: 2}}},
		{"sandboxed srcdoc", []step{{do: add("sandbox=allow-scripts srcdoc='<p>x'"), count: 2}}},
		{"display:none", []step{{do: add("style=display:none src=" + a), count: 2}, {do: add("style=display:none src=" + b), count: 3}}},
		{"equal URLs", []step{{do: add("src=" + b), count: 2}, {do: add("src=" + b), count: 3}, {do: "document.querySelector('iframe').remove()", count: 2}}},
		{"lazy", []step{
			{do: "document.body.style.height='9000px', 0", count: 1}, {do: "document.body.insertAdjacentHTML('beforeend', `<iframe loading=lazy src=" + b + "></iframe>`), 0", count: 2},
			{do: "document.querySelector('iframe').scrollIntoView(), 0", count: 2},
		}},
		{"in a shadow root", []step{{do: "document.body.attachShadow({mode:'closed'}).innerHTML='<iframe src=" + b + "></iframe>', 0", count: 2}}},
		{"object", []step{{do: insert("<object type=text/html data=" + b + "></object>"), count: 2}}},
		{"nothing listens", []step{{do: add("src=http://b.test:1/"), count: 2}, {do: go2(b), count: 2}}},
		{"the page goes elsewhere", []step{{do: add("src=" + b), count: 2}, {do: leave + s.URL("a.test", "/two") + "'), 0", count: 3}}},
		{"the page goes to another site", []step{{do: add("src=" + b), count: 2}, {do: leave + s.URL("c.test", "/two") + "'), 0", count: 3}}},
		{"the page becomes the site of its frame", []step{{do: add("src=" + b), count: 2}, {do: leave + s.URL("b.test", "/two") + "'), 0", count: 3}}},
		{"back and forward", []step{
			{do: add("src=" + b), count: 2}, {do: add("srcdoc='<p>x'"), count: 3}, {do: leave + s.URL("a.test", "/leaf") + "'), 0", count: 1},
			{do: "setTimeout(() => history.back()), 0", count: 3}, {do: "setTimeout(() => history.forward()), 0", count: 1}, {do: "setTimeout(() => history.back()), 0", count: 3},
		}},
		{"reload", []step{{do: add("src=" + b), count: 2}, {do: leave + s.URL("a.test", "/two") + "'), 0", count: 3}, {do: "setTimeout(() => location.reload()), 0", count: 3}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			h := onShared(t, "evaluate")
			ag := newAgent(t, h, s.URL("a.test", "/"))
			c := lookAt(t, ag, cdptest.SharedChrome(t).WSURL)
			now := agree(t, ag, c, 1)
			for i, st := range tc.steps {
				ag.loaded(t, now[st.in].ID)
				ag.in(t, now[st.in].ID, st.do)
				t.Logf("step %d: %s", i, st.do)
				now = agree(t, ag, c, st.count)
			}
		})
	}
}
