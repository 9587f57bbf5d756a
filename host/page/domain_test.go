package page_test

import (
	"net/http"
	"strings"
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/page"
	"cdphost/sdk/fault"
)

func domainSite() cdptest.Hosts {
	mux := http.NewServeMux()
	mux.Handle("/", cdptest.Paths{
		"/":      `<title>Home</title><button id=go onclick="location = 'http://www.bad.test:{{port}}/'">go</button><button id=pop onclick="window.open('http://bad.test:{{port}}/')">pop</button><button id=frame onclick="document.body.append(Object.assign(document.createElement('iframe'), {src: 'http://bad.test:{{port}}/'}))">frame</button><button id=later onclick="setTimeout(() => { location = 'http://bad.test:{{port}}/' }, 300)">later</button>`,
		"/plain": `<p>plain</p>`,
	})
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) {
		_, port, _ := strings.Cut(r.Host, ":")
		http.Redirect(w, r, "http://bad.test:"+port+"/", http.StatusFound)
	})
	return cdptest.Hosts{"*": mux, "bad.test": cdptest.Paths{"/": `<p>bad</p><script>setInterval(() => document.title = 'bad', 10)</script>`}, "www.bad.test": cdptest.Paths{"/": `<p>bad</p>`}}
}

// TestBlockedDomains has pages go to a blocked domain in every way that they can.
func TestBlockedDomains(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		args   obj
		action fault.Code // of the action itself; "" when the page goes there by itself later
	}{
		"navigate":   {obj{"type": "navigate", "url": "{{base}}/moved"}, fault.DomainBlocked},
		"open_tab":   {obj{"type": "open_tab", "url": "{{base}}/moved"}, fault.DomainBlocked},
		"click":      {obj{"type": "click", "selector": "#go"}, ""},
		"popup":      {obj{"type": "click", "selector": "#pop"}, ""},
		"by a timer": {obj{"type": "click", "selector": "#later"}, ""},
		"in a wait":  {obj{"type": "wait_for", "text": "never"}, fault.DomainBlocked},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, page.Options{BlockedDomains: []string{"bad.test"}})
			site := b.openSite(domainSite())
			if url, ok := tc.args["url"].(string); ok {
				tc.args["url"] = strings.Replace(url, "{{base}}/", site.URL("a.test", "/"), 1)
			}
			if name == "in a wait" {
				b.must(obj{"type": "click", "selector": "#later"})
			}
			r := b.do(tc.args)
			switch {
			case !r.OK && r.Error.Code != fault.DomainBlocked:
				t.Fatalf("%s: %s", r.Error.Code, r.Error.Message)
			case r.OK && tc.action != "":
				t.Fatalf("the action ended well: %v", r.Result)
			case r.OK && name == "popup": // it came after the click had ended
				b.told("popup")
			case r.OK: // the next one is told
				b.until("the page to be emptied", func(st *page.State) bool { return st.Tabs[0].URL == "about:blank" })
				b.fails(fault.DomainBlocked, obj{"type": "extract"})
			}
			b.until("nothing bad to be shown", func(st *page.State) bool {
				for _, tab := range st.Tabs {
					if strings.Contains(tab.URL, "bad.test") {
						return false
					}
				}
				return true
			})
			b.must(obj{"type": "navigate", "url": site.URL("a.test", "/plain")})
			b.must(obj{"type": "wait_for", "text": "plain"})
		})
	}
}

func TestBlockedFrameIsEmptiedAndTold(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{BlockedDomains: []string{"bad.test"}})
	b.openSite(domainSite())
	b.must(obj{"type": "click", "selector": "#frame"})
	b.until("the frame to be emptied", func(st *page.State) bool {
		return len(st.Tabs[0].Frames) == 2 && st.Tabs[0].Frames[1].URL == "about:blank"
	})
	b.told("frame")
}

// told acts until a reply tells that something else than the page was ended.
func (b *bench) told(what string) {
	b.t.Helper()
	var notes []page.Ended
	for len(notes) == 0 && b.in.Err() == nil {
		notes = b.do(obj{"type": "extract"}).Earlier
	}
	if len(notes) != 1 || notes[0].Action != what || notes[0].Error.Code != fault.DomainBlocked {
		b.t.Errorf("the next replies tell %+v", notes)
	}
}

func TestOrigins(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{})
	site := cdptest.Site(t, domainSite())
	origin := func(host string) string { return strings.TrimSuffix(site.URL(host, "/"), "/") }
	b.e.Close()
	b.opts.Origins = page.Origins{Allow: []string{origin("*.a.test"), origin("c.test")}, Deny: []string{origin("no.a.test")}}
	b.start()
	b.must(obj{"type": "open_tab", "url": site.URL("c.test", "/plain")})
	for host, open := range map[string]bool{"c.test": true, "x.a.test": true, "a.test": false, "no.a.test": false, "b.test": false} {
		args := obj{"type": "navigate", "url": site.URL(host, "/plain")}
		if open {
			b.must(args)
		} else if f := b.fails(fault.DomainBlocked, args); !strings.Contains(f.Message, host) {
			t.Errorf("the refusal of %s says %q", host, f.Message)
		}
	}
	b.fails(fault.DomainBlocked, obj{"type": "navigate", "url": "http://x.a.test:1/"})
	b.must(obj{"type": "navigate", "url": "about:blank"})
}
