package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// growth is one figure of ours against the number of something.
type growth struct {
	Name  string    `json:"name"`
	Unit  string    `json:"unit"`
	N     []int     `json:"n"`
	Value []float64 `json:"value"`
	Slope float64   `json:"slope"` // units for each one more
	Fail  string    `json:"fail,omitempty"`
}

func (g *growth) add(n int, value float64) {
	g.N, g.Value = append(g.N, n), append(g.Value, value)
	g.Slope = slope(g.N, g.Value)
}

// slope is the least-squares slope.
func slope(n []int, value []float64) float64 {
	var meanN, meanV float64
	for i := range n {
		meanN += float64(n[i]) / float64(len(n))
		meanV += value[i] / float64(len(n))
	}
	var above, below float64
	for i := range n {
		above += (float64(n[i]) - meanN) * (value[i] - meanV)
		below += (float64(n[i]) - meanN) * (float64(n[i]) - meanN)
	}
	if below == 0 {
		return 0
	}
	return above / below
}

// grow measures ours with more and more tasks, pages, frames, dialogs and plugins.
func grow(ctx context.Context, us *peer, self, scratch string, s *site, tries int) []*growth {
	g := grower{ctx: ctx, us: us, site: s, tries: tries}
	return append(append(append(append(g.tasks(), g.pages()...), g.frames()...), g.dialogs()...), g.plugins(self, scratch)...)
}

type grower struct {
	ctx   context.Context
	us    *peer
	site  *site
	tries int
}

// p50 times a call.
func (g *grower) p50(call func() error) (float64, error) {
	var samples []sample
	for range g.tries {
		began := time.Now()
		if err := call(); err != nil {
			return 0, err
		}
		samples = append(samples, timed(began, nil))
	}
	return summarise(samples).P50, nil
}

// along opens more and more of something in one server and measures after each
// step of sizes.
func (g *grower) along(sizes []int, figures []*growth, more func(s *session, n int) error, measure func(s *session) ([]float64, error)) []*growth {
	fail := func(err error) []*growth {
		for _, f := range figures {
			f.Fail = firstLine(err.Error())
		}
		return figures
	}
	s, err := g.us.start(g.ctx)
	if err != nil {
		return fail(err)
	}
	defer s.close()
	open := 0
	for _, n := range sizes {
		for ; open < n; open++ {
			if err := more(s, open); err != nil {
				return fail(fmt.Errorf("at %d: %w", open+1, err))
			}
		}
		values, err := measure(s)
		if err != nil {
			return fail(fmt.Errorf("at %d: %w", n, err))
		}
		for i, v := range values {
			figures[i].add(n, v)
		}
	}
	return figures
}

func (g *grower) tasks() []*growth {
	figures := []*growth{
		{Name: "evaluate `1`, by tasks with a page each", Unit: "ms"},
		{Name: "memory of the server, by tasks with a page each", Unit: "MB"},
	}
	return g.along([]int{1, 10, 100}, figures, func(s *session, n int) error {
		return g.us.another(g.ctx, s, n, g.site.url("/plain?id=x"))
	}, func(s *session) ([]float64, error) {
		ms, err := g.p50(func() error {
			_, err := s.call(g.ctx, hangLimit, "browser", map[string]any{"type": "evaluate", "expression": "1", "task_id": "c0"})
			return err
		})
		server, _ := memory(s.family)
		return []float64{ms, server / 1024}, err
	})
}

func (g *grower) pages() []*growth {
	figures := []*growth{{Name: "snapshot, by pages of the task", Unit: "ms"}}
	return g.along([]int{1, 10, 100}, figures, func(s *session, n int) error {
		url := g.site.url("/plain?id=x")
		if n == 0 {
			return g.us.do.navigate(g.ctx, s, hangLimit, url)
		}
		_, err := s.call(g.ctx, hangLimit, "browser", map[string]any{"type": "open_tab", "url": url})
		return err
	}, func(s *session) ([]float64, error) { return g.look(s, map[string]any{"tab_id": "t1"}) })
}

// look times a snapshot.
func (g *grower) look(s *session, args map[string]any) ([]float64, error) {
	ms, err := g.p50(func() error {
		_, err := s.call(g.ctx, hangLimit, "browser_snapshot", args)
		return err
	})
	return []float64{ms}, err
}

func (g *grower) frames() []*growth {
	figures := []*growth{{Name: "snapshot, by frames of the page", Unit: "ms"}}
	have := 0
	return g.along([]int{1, 10, 100, 1000}, figures, func(*session, int) error { have++; return nil }, func(s *session) ([]float64, error) {
		if err := g.us.do.navigate(g.ctx, s, time.Minute, g.site.url(fmt.Sprintf("/frames?n=%d", have))); err != nil {
			return nil, err
		}
		return g.look(s, nil)
	})
}

// dialogs holds one in each of more and more tasks.
func (g *grower) dialogs() []*growth {
	figures := []*growth{{Name: "snapshot of a page with a dialog, by dialogs held", Unit: "ms"}}
	return g.along([]int{1, 10, 50}, figures, func(s *session, n int) error {
		return g.us.another(g.ctx, s, n, g.site.url("/load?id="+nextID()))
	}, func(s *session) ([]float64, error) {
		text, err := s.call(g.ctx, hangLimit, "browser_snapshot", map[string]any{"task_id": "c0"})
		if err != nil {
			return nil, err
		}
		if !strings.Contains(text, `"held"`) {
			return nil, fmt.Errorf("no dialog is held")
		}
		return g.look(s, map[string]any{"task_id": "c0"})
	})
}

// plugins starts the host anew with more and more guards, all of which are asked
// about every press of a click.
func (g *grower) plugins(self, scratch string) []*growth {
	figures := []*growth{
		{Name: "click, by plugins that guard it", Unit: "ms"},
		{Name: "evaluate `1`, by plugins that do not", Unit: "ms"},
		{Name: "start to the first page, by plugins", Unit: "ms"},
		{Name: "memory of the server, by plugins", Unit: "MB"},
	}
	guard, err := filepath.Abs("results/origin-guard")
	for _, n := range []int{1, 10, 50} {
		var b strings.Builder
		b.WriteString("plugins:\n")
		for i := range n {
			fmt.Fprintf(&b, "  guard-%d: {path: %q, grants: {toolsets: [browser], methods: [\"Input.*\"]}, config: {origins: [%q]}}\n", i, guard, g.site.url(""))
		}
		file := filepath.Join(scratch, fmt.Sprintf("plugins-%d.yaml", n))
		if err == nil {
			err = os.WriteFile(file, []byte(b.String()), 0o600)
		}
		var values []float64
		if err == nil {
			values, err = g.withPlugins([]string{self, "--config", file, "mcp"})
		}
		for i, f := range figures {
			if err != nil {
				f.Fail = firstLine(err.Error())
				continue
			}
			f.add(n, values[i])
		}
	}
	return figures
}

func (g *grower) withPlugins(argv []string) ([]float64, error) {
	began := time.Now()
	s, err := startMCP(g.ctx, argv, nil)
	if err != nil {
		return nil, err
	}
	defer s.close()
	if err := g.us.do.navigate(g.ctx, s, time.Minute, g.site.url("/plain?id=x")); err != nil {
		return nil, err
	}
	started := float64(time.Since(began).Milliseconds())
	click, err := g.p50(func() error { return g.us.do.act(g.ctx, s, hangLimit, "click") })
	if err != nil {
		return nil, err
	}
	evaluate, err := g.p50(func() error {
		_, err := g.us.do.evaluate(g.ctx, s, hangLimit, "1")
		return err
	})
	server, _ := memory(s.family)
	return []float64{click, evaluate, started, server / 1024}, err
}
