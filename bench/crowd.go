package main

import (
	"fmt"
	"time"
)

// crowd opens 1, 10 and 50 isolated sessions in one server and weighs it.
func (b *bench) crowd(r *report) {
	p := b.peer
	sizes := []int{1, 10, 50}
	fail := func(n int, err error) {
		for _, of := range []string{"server", "Chromium"} {
			r.add(crowdRow(n, of), "MB", p.name, stats{Note: "✗ " + firstLine(err.Error())})
		}
	}
	s, err := p.crowd(b.ctx)
	if err != nil {
		for _, n := range sizes {
			fail(n, err)
		}
		return
	}
	defer s.close()
	open := 0
	for _, n := range sizes {
		if n > p.crowdMax {
			fail(n, fmt.Errorf("not tried: a browser for each"))
			continue
		}
		for ; open < n && err == nil; open++ {
			err = p.another(b.ctx, s, open, b.site.url("/plain?id=x"))
		}
		if err != nil {
			fail(n, err)
			continue
		}
		time.Sleep(time.Second) // pages settle
		server, browser := memory(s.family)
		r.add(crowdRow(n, "server"), "MB", p.name, stats{Value: server / 1024})
		r.add(crowdRow(n, "Chromium"), "MB", p.name, stats{Value: browser / 1024})
	}
}

func crowdRow(n int, of string) string {
	if n == 1 {
		return "memory with 1 session, " + of
	}
	return fmt.Sprintf("memory with %d sessions, %s", n, of)
}
