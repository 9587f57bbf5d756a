package bridge

import (
	"net/http"
	"testing"
	"time"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/endpoint"
	"cdphost/host/link"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// rented starts a stand-in for Browserbase, and a registry that rents there.
func rented(t *testing.T) (*cdptest.Browserbase, *supervisor.Registry) {
	t.Helper()
	service := cdptest.NewBrowserbase(t, cdptest.BrowserbaseOptions{Key: "sesame"})
	r := supervisor.NewRegistry(supervisor.Options{Logger: logger(), Link: link.Options{
		BackoffMin: 10 * time.Millisecond, BackoffMax: 10 * time.Millisecond,
		Provider: func(rental endpoint.Rental) (endpoint.Provider, error) {
			return endpoint.NewBrowserbase(endpoint.BrowserbaseOptions{APIKey: "sesame", BaseURL: service.URL(), Rental: rental})
		},
	}})
	t.Cleanup(func() { r.StopAll(t.Context()) })
	return service, r
}

func rent(t *testing.T, r *supervisor.Registry, id string, set supervisor.Settings) *supervisor.Supervisor {
	t.Helper()
	s, err := r.GetOrStart(bound(t), supervisor.Key{Caller: "test", TaskID: id}, endpoint.Spec{Kind: endpoint.Browserbase}, set)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestBrowserbaseWithoutBridge shows what the bridge is for: the provider closes
// native dialogs before anybody can answer, and the record says that it did.
func TestBrowserbaseWithoutBridge(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{"/": asking}})
	service, r := rented(t)
	s := rent(t, r, "bare", supervisor.Settings{})
	p := loaded(t, s, site.URL("a.test", "/"))
	out := start(s, p.SessionID, `String(confirm("asked"))`)
	if got := receive(t, out); got != "false" {
		t.Errorf("the page saw %q", got)
	}
	snap := until(t, s, "the record", func(snap *supervisor.Snapshot) bool { return len(snap.Recent) == 1 })
	if c := snap.Recent[0]; c.ClosedBy != dialog.Remote || c.Message != "asked" {
		t.Errorf("closed = %+v", c)
	}
	r.Forget(bound(t), s.Key())
	for id, status := range service.Status() {
		if status != cdptest.SessionCompleted {
			t.Errorf("session %s is %s", id, status)
		}
	}
}

// TestBrowserbase asks over every kind of page: all dialogs are the agent's, and
// none is closed by the provider.
func TestBrowserbase(t *testing.T) {
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
	_, r := rented(t)
	tasks := map[bool]*supervisor.Supervisor{}
	for bypass, config := range map[bool]string{false: `{}`, true: `{"bypass_csp":true}`} {
		_, b := xhr.start(t, config)
		tasks[bypass] = rent(t, r, config, supervisor.Settings{Bridge: b})
	}
	for _, doc := range kindsOfPages {
		s := tasks[doc.bypass]
		url := doc.url
		if url == "" {
			url = site.URL("a.test", doc.address())
		}
		p := open(t, s, url)
		d := held(t, s, "asked")
		if c := answer(t, s, d.ID, "accept", nil); c.ClosedBy != dialog.Agent {
			t.Errorf("%s: closed = %+v", doc.name, c)
		}
		answered(t, s, p, "true")
		if err := s.ClosePage(bound(t), p.TabID); err != nil {
			t.Error(err)
		}
	}
	for _, s := range tasks {
		for _, c := range s.Snapshot().Recent {
			if c.ClosedBy != dialog.Agent {
				t.Errorf("closed = %+v", c)
			}
		}
	}
}

// TestBrowserbaseWhereTheBridgeIsBlocked: where a page's policy stops the bridge,
// the page asks the browser's own way, and what the provider does to that is told.
func TestBrowserbaseWhereTheBridgeIsBlocked(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": document(inner, "Content-Security-Policy", "connect-src 'none'")})
	service, r := rented(t)
	_, b := xhr.start(t, `{}`)
	s := rent(t, r, "blocked", supervisor.Settings{Bridge: b})
	p := open(t, s, site.URL("a.test", "/"))
	answered(t, s, p, "false")
	snap := until(t, s, "the record", func(snap *supervisor.Snapshot) bool { return len(snap.Recent) == 1 })
	if c := snap.Recent[0]; c.ClosedBy != dialog.Remote || !c.Native() {
		t.Errorf("closed = %+v", c)
	}

	service.Expire()
	if _, err := s.Wait(bound(t), func(snap *supervisor.Snapshot) bool { return !snap.Connected }); err != nil && fault.CodeOf(err) != fault.NoSupervisor {
		t.Error(err)
	}
	timedOut := 0
	for _, status := range service.Status() {
		if status == cdptest.SessionTimedOut {
			timedOut++
		}
	}
	if timedOut != 1 {
		t.Errorf("sessions: %v, want one that timed out", service.Status())
	}
}
