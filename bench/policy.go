package main

import (
	"fmt"
	"regexp"
	"strconv"
	"time"
)

// alerts raises ten alerts, one after the other, and tells by the page's own clock
// how long one took on average.
const alerts = `(() => { const t = performance.now(); for (let i = 0; i < 10; i++) alert("go on?"); return "each took " + (performance.now() - t) / 10 + " ms" })()`

var tookPattern = regexp.MustCompile(`each took ([0-9.]+) ms`)

// perAlert reads what alerts returned.
func perAlert(text string, err error) sample {
	if err != nil {
		return sample{fail: err.Error()}
	}
	m := tookPattern.FindStringSubmatch(text)
	if m == nil {
		return sample{fail: "no time in the reply: " + firstLine(text)}
	}
	ms, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		return sample{fail: err.Error()}
	}
	return sample{took: time.Duration(ms * float64(time.Millisecond))}
}

// answered measures, for each way in which a peer answers dialogs by itself, from
// the page's call of alert to its return.
func (b *bench) answered(r *report) {
	const row = "alert answered by itself, call to return"
	for _, p := range b.peer.policies {
		name := row
		if p.name != "" {
			name += ", " + p.name
		}
		r.add(name, "ms", b.peer.name, summarise(b.oneWay(p)))
	}
}

func (b *bench) oneWay(p policy) (out []sample) {
	s, err := p.start(b.ctx)
	if err != nil {
		return []sample{{fail: err.Error()}}
	}
	defer s.close()
	if err := b.peer.do.navigate(b.ctx, s, time.Minute, b.site.url("/plain?id=x")); err != nil {
		return []sample{{fail: err.Error()}}
	}
	for range b.tries {
		x := perAlert(b.peer.do.evaluate(b.ctx, s, hangLimit, alerts))
		if out = append(out, x); x.fail != "" {
			return append(out, sample{fail: fmt.Sprint("given up after: ", x.fail)})
		}
	}
	return out
}
