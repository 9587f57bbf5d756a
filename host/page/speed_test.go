package page_test

import (
	"fmt"
	"strings"
	"testing"

	"cdphost/host/page"
)

// cards is a shop page: n cards with a link, a check box and two buttons each.
func cards(n int) string {
	var b strings.Builder
	b.WriteString(`<title>Cards</title><style>.card{border:1px solid #ccc;margin:8px;padding:8px;display:inline-block;width:240px}.tag{background:#eee}</style><h1>Shop</h1><div class=grid>`)
	for i := range n {
		fmt.Fprintf(&b, `<div class="card" data-id="%d"><div class="img"></div><h3><a href="/item/%d">Item number %d</a></h3><p class="desc">A fine thing to <b>buy</b> and keep, with <span>many</span> uses.</p><div class="meta"><span class="tag">new</span><span class="tag">sale</span><span class="price">$%d.00</span></div><label><input type="checkbox" name="c%d"> Compare</label><button type="button">Add to cart</button><button type="button" aria-label="Wish %d"><svg width=16 height=16><path d="M0 0h16v16z"/></svg></button></div>`, i, i, i, i, i, i)
	}
	b.WriteString("</div>")
	return b.String()
}

func BenchmarkElements(b *testing.B) {
	for _, n := range []int{500, 2000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			k := newBench(b, page.Options{})
			k.open(cards(n))
			for b.Loop() {
				if _, err := k.e.Elements(b.Context(), "", 8192); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkActions(b *testing.B) {
	for _, args := range []obj{
		{"type": "evaluate", "expression": "1"},
		{"type": "click", "selector": "button"},
		{"type": "hover", "selector": "button"},
		{"type": "extract"},
		{"type": "screenshot"},
	} {
		b.Run(fmt.Sprint(args["type"]), func(b *testing.B) {
			k := newBench(b, page.Options{})
			k.open(cards(500))
			for b.Loop() {
				k.must(args)
			}
		})
	}
}
