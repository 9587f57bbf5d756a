package page_test

import (
	"strings"
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/page"
)

// TestClosedShadowRoots finds buttons in closed roots, whatever their host is and
// whenever they came.
func TestClosedShadowRoots(t *testing.T) {
	t.Parallel()
	const inside = `'<button onclick="hit=1">Inside &lt;</button>'`
	for name, html := range map[string]string{
		"an empty box":             `<div id=h></div><script>h.attachShadow({mode:'closed'}).innerHTML=` + inside + `</script>`,
		"a box with light content": `<section id=h><b>slotted</b></section><script>h.attachShadow({mode:'closed'}).innerHTML='<slot></slot>'+` + inside + `</script>`,
		"a box of no height":       `<div id=h style="height:0"></div><script>h.attachShadow({mode:'closed'}).innerHTML=` + inside + `</script>`,
		"a custom element":         `<x-y></x-y><script>customElements.define('x-y', class extends HTMLElement { constructor() { super(); this.attachShadow({mode:'closed'}).innerHTML=` + inside + ` } })</script>`,
		"declarative":              `<div><template shadowrootmode=closed><button onclick="hit=1">Inside &lt;</button></template></div>`,
		"in an open root":          `<div id=o></div><script>const r = o.attachShadow({mode:'open'}); r.innerHTML='<i></i>'; r.firstChild.parentNode.append(document.createElement('div')); r.lastChild.attachShadow({mode:'closed'}).innerHTML=` + inside + `</script>`,
		"in a closed root":         `<div id=o></div><script>const r = o.attachShadow({mode:'closed'}); r.append(document.createElement('p')); r.lastChild.attachShadow({mode:'closed'}).innerHTML=` + inside + `</script>`,
		"in a frame":               `<iframe srcdoc="<div id=h></div><script>h.attachShadow({mode:'closed'}).innerHTML='<button>Inside &amp;lt;</button>'</script>"></iframe>`,
		"in an OOPIF":              `<iframe src="http://b.test:{{port}}/"></iframe>`,
		"later":                    `<div id=h>light</div><button onclick="h.attachShadow({mode:'closed'}).innerHTML=` + strings.ReplaceAll(inside, `"`, `&quot;`) + `">Make</button>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, page.Options{})
			b.openSite(cdptest.Hosts{
				"a.test": cdptest.Paths{"/": `<script>hit = 0; /* 1 < 2 */</script>` + html},
				"b.test": cdptest.Paths{"/": `<p id=h></p><script>h.attachShadow({mode:'closed'}).innerHTML='<button>Inside &lt;</button>'</script>`},
			})
			if name == "later" {
				b.must(obj{"type": "extract"})
				b.must(obj{"type": "click", "selector": "button"})
			}
			b.must(obj{"type": "click", "uid": b.uid("button", "Inside <")})
			if !strings.HasPrefix(name, "in a frame") && !strings.HasPrefix(name, "in an OOPIF") && b.eval("hit") != float64(1) {
				t.Error("the button in the closed root was not hit")
			}
		})
	}
}

func TestSelectorsReachClosedShadowRoots(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{})
	b.open(`<div id=h><b>light</b></div><script>h.attachShadow({mode:'closed'}).innerHTML='<button class=go onclick="hit=1">Go</button>'</script>`)
	b.must(obj{"type": "click", "selector": ".go"})
	if b.eval("hit") != float64(1) {
		t.Error("the button was not hit")
	}
}

// TestChangesOfWhatWasNotTold compares with an extract that was cut.
func TestChangesOfWhatWasNotTold(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{})
	b.open(cards(200))
	first := b.must(obj{"type": "extract", "max_bytes": 1024})
	if first["element_count"] != float64(800) || first["truncated"] != true {
		t.Fatalf("the first extract has %v elements, truncated %v", first["element_count"], first["truncated"])
	}
	b.eval(`document.querySelector('.grid').insertAdjacentHTML('beforeend', '<button>Fresh</button>'); 1`)
	second := b.must(obj{"type": "extract", "changed_since": first["version"]})
	if got := second["elements"].(string); !strings.HasPrefix(got, "+ ") || strings.Count(got, "\n") != 1 || !strings.Contains(got, "Fresh") {
		t.Errorf("what is new is told as %q", got)
	}
}
