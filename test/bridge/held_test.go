package bridge

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/page"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// TestHeldPageIsReadable looks at a page in every way while a dialog holds it.
func TestHeldPageIsReadable(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{
		"/":      `<title>shop</title><button>Buy</button><p>A sentence to read.</p><iframe src="http://b.test:{{port}}/inner"></iframe>`,
		"/inner": `<button>Inner</button>`,
	}})
	_, b := debugger.start(t, `{}`)
	s := task(t, supervisor.Settings{Bridge: b})
	p := loaded(t, s, site.URL("a.test", "/"))
	engine := page.New(page.Options{Host: page.Supervised(s, nil), Timeout: 10 * time.Second})
	t.Cleanup(engine.Close)
	do := func(args cdptest.M) *page.Reply {
		raw, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		return engine.Do(bound(t), raw)
	}

	opening := do(cdptest.M{"type": "evaluate", "expression": `confirm("asked")`})
	if opening.OK || opening.Error.Code != fault.BlockedByDialog {
		t.Fatalf("evaluating a confirm: %+v", opening)
	}
	d := held(t, s, "asked")
	if !d.Readable {
		t.Errorf("dialog = %+v, want a readable one", d)
	}
	seen, err := engine.Elements(bound(t), p.TabID, 4096)
	if err != nil || !strings.Contains(seen.Text, "Buy") || !strings.Contains(seen.Text, "Inner") {
		t.Errorf("elements: %+v, %v", seen, err)
	}
	for _, tc := range []struct {
		args cdptest.M
		want string
	}{
		{cdptest.M{"type": "extract"}, "A sentence to read."},
		{cdptest.M{"type": "evaluate", "expression": "document.title"}, "shop"},
		{cdptest.M{"type": "evaluate", "expression": "({a: [1, 2]})"}, "[1,2]"},
	} {
		reply := do(tc.args)
		shown, err := json.Marshal(reply)
		if err != nil {
			t.Fatal(err)
		}
		if !reply.OK || !strings.Contains(string(shown), tc.want) || !strings.Contains(string(shown), `"held":{"id":"`+d.ID) {
			t.Errorf("%v: %s", tc.args, shown)
		}
	}
	if reply := do(cdptest.M{"type": "evaluate", "expression": "Promise.resolve(1)"}); reply.OK || reply.Error.Code != fault.BlockedByDialog {
		t.Errorf("evaluating a promise: %+v", reply)
	}
	if reply := do(cdptest.M{"type": "click", "selector": "button"}); reply.OK || reply.Error.Code != fault.BlockedByDialog {
		t.Errorf("clicking: %+v", reply)
	}
	answer(t, s, d.ID, "accept", nil)
	if reply := do(cdptest.M{"type": "evaluate", "expression": "Promise.resolve(document.title)"}); !reply.OK {
		t.Errorf("evaluating after the answer: %+v", reply.Error)
	}
}
