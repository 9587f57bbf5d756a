package bridge

import (
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/supervisor"
)

// TestSecurePages asks on pages that came over https, where an http bridge would
// be blocked as mixed content, and behind service workers of all kinds.
func TestSecurePages(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.Handle("/plain", document(inner))
	mux.Handle("/coep", document(inner, "Cross-Origin-Embedder-Policy", "require-corp", "Cross-Origin-Opener-Policy", "same-origin"))
	mux.Handle("/frame", document(outer+`<iframe src="https://b.test:{{port}}/plain"></iframe>`))
	for name, script := range map[string]string{
		"silent":  ``,
		"passing": `onfetch = (e) => e.respondWith(fetch(e.request));`,
		"own":     `onfetch = (e) => { if (e.request.mode !== "navigate") e.respondWith(new Response("mine")) };`,
	} {
		mux.HandleFunc("/"+name+".js", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write([]byte(script + `onactivate = (e) => e.waitUntil(clients.claim());`))
		})
		mux.Handle("/worker-"+name, document(`<script>
			navigator.serviceWorker.register("/`+name+`.js");
			const go = () => { const a = String(confirm("asked")); document.title = a };
			if (navigator.serviceWorker.controller) go(); else navigator.serviceWorker.oncontrollerchange = go</script>`))
	}
	server := httptest.NewTLSServer(mux)
	t.Cleanup(server.Close)
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	browser := cdptest.Chrome(t, "--ignore-certificate-errors")
	r := supervisor.NewRegistry(supervisor.Options{Logger: logger()})
	t.Cleanup(func() { r.StopAll(t.Context()) })
	for _, k := range []kind{debugger, xhr} {
		_, b := k.start(t, `{}`)
		for _, path := range []string{"/plain", "/coep", "/frame", "/worker-silent", "/worker-passing", "/worker-own"} {
			t.Run(string(k)+path, func(t *testing.T) {
				s := taskOn(t, r, browser.WSURL, supervisor.Settings{Bridge: b})
				p := open(t, s, "https://a.test:"+port+path)
				d := held(t, s, "asked")
				if d.Bridge != string(k) {
					t.Errorf("dialog = %+v", d)
				}
				if c := answer(t, s, d.ID, "accept", nil); c.ClosedBy != dialog.Agent {
					t.Errorf("closed = %+v", c)
				}
				answered(t, s, p, "true")
			})
		}
	}
}
