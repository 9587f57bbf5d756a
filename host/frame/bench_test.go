package frame_test

import (
	"fmt"
	"testing"

	"cdphost/host/frame"
)

// big builds a page of n frames, a tenth of them out of process.
func big(tb testing.TB, n int) *frame.Table {
	table := frame.NewTable("T", "S")
	for i := 1; i < n; i++ {
		id, parent := fmt.Sprintf("%032X", i*7919), "T"
		if i%3 == 0 {
			parent = fmt.Sprintf("%032X", (i-1)*7919)
		}
		apply(tb, table, "S", "Page.frameAttached", attached(id, parent))
		url := fmt.Sprintf("https://ads%d.example.net/slot?id=%d", i, i)
		if i%10 == 0 {
			table.Attached("S"+id, id, parent, "")
			apply(tb, table, "S"+id, "Page.frameNavigated", navigated(id, parent, fmt.Sprint("L", i), url, ""))
		} else {
			apply(tb, table, "S", "Page.frameNavigated", navigated(id, parent, fmt.Sprint("L", i), url, ""))
		}
	}
	return table
}

func BenchmarkEvent(b *testing.B) {
	id := fmt.Sprintf("%032X", 500*7919-7919)
	for _, bc := range []struct{ name, method, params string }{
		{"navigated", "Page.frameNavigated", navigated(id, "T", "L0", "https://example.net/", "https://example.net")},
		{"within document", "Page.navigatedWithinDocument", fmt.Sprintf(`{"frameId":%q,"url":"https://example.net/#x","navigationType":"fragment"}`, id)},
		{"context", "Runtime.executionContextCreated", context(1, "u1", "https://example.net", "", id, true)},
	} {
		b.Run(bc.name, func(b *testing.B) {
			table := big(b, 1000)
			params := []byte(bc.params)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := table.Apply("S", bc.method, params); err != nil {
					b.Fatal(err)
				}
				table.Freeze()
			}
		})
	}
	b.Run("attached and removed", func(b *testing.B) {
		table := big(b, 1000)
		add, remove := []byte(attached("NEW", id)), []byte(`{"frameId":"NEW","reason":"remove"}`)
		b.ReportAllocs()
		for b.Loop() { // two events
			if _, err := table.Apply("S", "Page.frameAttached", add); err != nil {
				b.Fatal(err)
			}
			table.Freeze()
			if _, err := table.Apply("S", "Page.frameDetached", remove); err != nil {
				b.Fatal(err)
			}
			table.Freeze()
		}
	})
}

func BenchmarkAppendJSON(b *testing.B) {
	z := big(b, 1000).Freeze()
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		dst = z.AppendJSON(dst[:0], frame.Limits{MaxChildren: -1, MaxOOPIFDepth: -1})
	}
	b.SetBytes(int64(len(dst)))
}

func BenchmarkSessionOf(b *testing.B) {
	z := big(b, 1000).Freeze()
	id := fmt.Sprintf("%032X", 501*7919)
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := z.SessionOf(id); !ok {
			b.Fatal("no session")
		}
	}
}
