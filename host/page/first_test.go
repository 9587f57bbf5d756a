package page_test

import (
	"encoding/json"
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/page"
)

func TestFirst(t *testing.T) {
	b := newBench(t, page.Options{})
	b.openSite(cdptest.Hosts{"a.test": cdptest.Paths{"/": `<title>Hi</title><h1>Head</h1><button onclick="document.title='clicked'">Go</button><input placeholder="Name"><a href="/x">Link</a>
<div id=h></div><script>h.attachShadow({mode:'closed'}).innerHTML='<button onclick="window.closedHit=1">In closed</button>'</script>
<iframe src="http://b.test:{{port}}/" style="margin:30px"></iframe>
<table><tr><td>Jane</td><td><button>View</button></td></tr><tr><td>Joe</td><td><button>View</button></td></tr></table>
<select><option>A</option><option>B</option></select>`},
		"b.test": cdptest.Paths{"/": `<button onclick="document.title='x'; this.textContent='pressed'">Pay</button>`}})
	r := b.must(obj{"type": "extract"})
	raw, _ := json.MarshalIndent(r, "", " ")
	t.Logf("%s\n%s", raw, r["elements"])
	t.Log(b.do(obj{"type": "click", "selector": "button"}))
	t.Log(b.eval("document.title"))
	t.Log(b.must(obj{"type": "click", "uid": "e4"}))
	t.Log(b.eval("window.closedHit"))
	t.Log(b.must(obj{"type": "click", "uid": "e5"}))
	t.Log(b.must(obj{"type": "type", "uid": "e2", "text": "Hello wörld"}))
	r = b.must(obj{"type": "extract", "changed_since": r["version"]})
	raw, _ = json.MarshalIndent(r, "", " ")
	t.Logf("%s\n%s", raw, r["elements"])
}
