package tasks

import (
	"fmt"
	"net/http"
	"testing"

	"cdphost/host/cdp/cdptest"
)

// TestBlockedDomainByEveryTool goes to a blocked domain with each tool that can
// send a page somewhere.
func TestBlockedDomainByEveryTool(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": http.NotFoundHandler(), "a.test": cdptest.Paths{"/": `<p id=goal>here</p>`}})
	a := newAgent(t, "blocked")
	a.open(site.URL("a.test", "/"))
	bad := site.URL("sub.blocked.test", "/")
	for name, args := range map[string]obj{
		"browser_navigate": {"url": bad},
		"browser_cdp":      {"method": "Page.navigate", "params": obj{"url": bad}},
		"browser":          {"type": "navigate", "url": bad},
	} {
		e, _ := a.call(name, args)["error"].(obj)
		if code := fmt.Sprint(e["code"]); code != "domain_blocked" {
			t.Errorf("%s: %v", name, e)
		}
	}
	if got := a.text(); got != "here" {
		t.Errorf("the page shows %q", got)
	}
}
