package bridge

import (
	"strconv"
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/supervisor"
)

// BenchmarkConfirm is a confirm from the page's call to its return, with a policy
// that accepts at once: natively, and over each bridge with its process in
// between. The page measures, in p50-ms.
func BenchmarkConfirm(b *testing.B) {
	site := cdptest.Site(b, cdptest.Hosts{"*": cdptest.Paths{"/": asking}})
	for _, k := range []kind{"", debugger, xhr} {
		name := string(k)
		set := supervisor.Settings{Policy: always(dialog.DoAccept), FloodPerSecond: 1 << 20}
		if k == "" {
			name = "native"
		} else {
			_, set.Bridge = k.start(b, `{}`)
		}
		b.Run(name, func(b *testing.B) {
			s := task(b, set)
			p := loaded(b, s, site.URL("a.test", "/"))
			for range 20 {
				evaluate(b, s, p.SessionID, "confirm()")
			}
			call(b, s, p.SessionID, "Runtime.evaluate", cdptest.M{"expression": "spent = []"})
			for b.Loop() {
				evaluate(b, s, p.SessionID, "t = performance.now(); confirm('asked'); spent.push(performance.now() - t)")
			}
			for name, part := range map[string]string{"p50-ms": "0.5", "p95-ms": "0.95"} {
				v, err := strconv.ParseFloat(evaluate(b, s, p.SessionID, "String(spent.sort((a, b) => a - b)[Math.floor(spent.length * "+part+")])"), 64)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(v, name)
			}
		})
	}
}
