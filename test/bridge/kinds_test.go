package bridge

import (
	"net/http"
	"strings"
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/supervisor"
)

// inner asks and leaves the answer in its title and with whoever embeds it.
const inner = `<script>const a = String(confirm("asked")); document.title = a; top.postMessage(a, "*")</script>`

// outer shows what an embedded document was answered.
const outer = `<script>onmessage = (e) => { document.title = e.data }</script>`

// kindOfPage is one way in which a document can stand in the way of a bridge.
type kindOfPage struct {
	name    string
	url     string // instead of a handler
	handler http.HandlerFunc
	// bypass: the XMLHttpRequest bridge needs the page's policy switched off.
	bypass bool
}

// address is the path that the document is served at.
func (k kindOfPage) address() string {
	return "/" + strings.NewReplacer(" ", "-", ":", "").Replace(k.name)
}

func document(body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, port, _ := strings.Cut(r.Host, ":")
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		for i := 0; i < len(headers); i += 2 {
			w.Header().Add(headers[i], headers[i+1])
		}
		_, _ = w.Write([]byte(strings.ReplaceAll(body, "{{port}}", port))) // a reader that left is its own affair
	}
}

var kindsOfPages = []kindOfPage{
	{name: "http", handler: document(inner)},
	{name: "out-of-process iframe", handler: document(outer + `<iframe src="http://b.test:{{port}}/inner"></iframe>`)},
	{name: "nested out-of-process iframes", handler: document(outer + `<iframe src="http://b.test:{{port}}/between"></iframe>`)},
	{name: "same-process iframe", handler: document(outer + `<iframe src="/inner"></iframe>`)},
	{name: "csp connect-src none", bypass: true, handler: document(inner, "Content-Security-Policy", "connect-src 'none'")},
	{name: "csp default-src self", bypass: true, handler: document(inner, "Content-Security-Policy", "default-src 'self' 'unsafe-inline'")},
	{name: "csp in a meta tag", bypass: true, handler: document(`<meta http-equiv="Content-Security-Policy" content="connect-src 'none'">` + inner)},
	{name: "csp upgrade-insecure-requests", handler: document(inner, "Content-Security-Policy", "upgrade-insecure-requests")},
	{name: "trusted types", handler: document(inner, "Content-Security-Policy", "require-trusted-types-for 'script'")},
	{name: "sandboxed iframe", handler: document(outer + `<iframe sandbox="allow-scripts allow-modals" src="/inner"></iframe>`)},
	{name: "srcdoc iframe", handler: document(outer + `<iframe srcdoc='` + inner + `'></iframe>`)},
	{name: "data iframe", handler: document(outer + `<iframe src='data:text/html,` + inner + `'></iframe>`)},
	{name: "blob iframe", handler: document(outer + `<script>
		const f = document.createElement("iframe");
		f.src = URL.createObjectURL(new Blob(['` + strings.ReplaceAll(inner, "</", `<\/`) + `'], {type: "text/html"}));
		document.documentElement.append(f)</script>`)},
	{name: "about:blank iframe used at once", handler: document(`<body><script>
		const f = document.createElement("iframe");
		document.body.append(f);
		document.title = String(f.contentWindow.confirm("asked"))</script>`)},
	{name: "data page", url: "data:text/html," + inner},
	{name: "coop and coep", handler: document(inner, "Cross-Origin-Opener-Policy", "same-origin", "Cross-Origin-Embedder-Policy", "require-corp")},
	{name: "coep credentialless", handler: document(inner, "Cross-Origin-Embedder-Policy", "credentialless")},
	{name: "document-policy sync-xhr", handler: document(inner, "Document-Policy", "sync-xhr=?0")},
	{name: "replaced XMLHttpRequest", handler: document(`<script>
		XMLHttpRequest.prototype.open = XMLHttpRequest.prototype.send = () => { throw 1 };
		XMLHttpRequest = Reflect = JSON = null; String.prototype.slice = () => "wrong"</script>` + inner)},
	{name: "xml page", handler: func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/xhtml+xml")
		_, _ = w.Write([]byte(`<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>` + inner + `</body></html>`))
	}},
}

// TestKindsOfPages asks over every kind of document: the agent's answer arrives,
// and no native dialog opens.
func TestKindsOfPages(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.Handle("/inner", document(inner))
	mux.Handle("/between", document(`<iframe src="http://c.test:{{port}}/inner"></iframe>`))
	for _, doc := range kindsOfPages {
		if doc.handler != nil {
			mux.Handle(doc.address(), doc.handler)
		}
	}
	site := cdptest.Site(t, cdptest.Hosts{"*": mux})
	for _, k := range []kind{debugger, xhr} {
		config := map[bool]string{false: `{}`}
		if k == xhr {
			config[true] = `{"bypass_csp":true}`
		}
		bridges := map[bool]supervisor.Bridge{}
		for bypass, c := range config {
			_, bridges[bypass] = k.start(t, c)
		}
		for _, doc := range kindsOfPages {
			t.Run(string(k)+"/"+doc.name, func(t *testing.T) {
				t.Parallel()
				s := task(t, supervisor.Settings{Bridge: bridges[doc.bypass && k == xhr]})
				url := doc.url
				if url == "" {
					url = site.URL("a.test", doc.address())
				}
				p := open(t, s, url)
				d := held(t, s, "asked")
				if d.Bridge != string(k) || d.TabID != p.TabID {
					t.Errorf("dialog = %+v", d)
				}
				if c := answer(t, s, d.ID, "accept", nil); c.ClosedBy != dialog.Agent {
					t.Errorf("closed = %+v", c)
				}
				answered(t, s, p, "true")
				if n := len(s.Snapshot().Recent); n != 1 {
					t.Errorf("%d dialogs, want 1: %+v", n, s.Snapshot().Recent)
				}
			})
		}
	}
}

// answered waits until the page's title tells what it was answered.
func answered(t *testing.T, s *supervisor.Supervisor, p *supervisor.Page, want string) {
	t.Helper()
	got := cdptest.Field(call(t, s, p.SessionID, "Runtime.evaluate", cdptest.M{
		"expression":   `new Promise(r => { const i = setInterval(() => { if (document.title) { clearInterval(i); r(document.title) } }, 5) })`,
		"awaitPromise": true,
	}), "result.value")
	if got != want {
		t.Errorf("the page saw %q, want %q", got, want)
	}
}
