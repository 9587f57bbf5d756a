package tool

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"cdphost/host/frame"
	"cdphost/host/supervisor"
)

// A snapshot without text is made of what events told: the browser is asked nothing,
// whatever the page is like.
func TestSnapshotSendsNothing(t *testing.T) {
	t.Parallel()
	b := newLocalBench(t)
	task, err := b.Start(t.Context(), "local", "a", core)
	if err != nil {
		t.Fatal(err)
	}
	tab, err := task.OpenPage(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	opened, _ := task.Snapshot().Page(tab)
	page := b.browser.Page(opened.TargetID)
	page.Navigate("http://shop.test/")
	page.Top().Attach("http://shop.test/inside")
	page.Top().Attach("http://ads.test/")
	sees := func(done func(*supervisor.Page) bool) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		err := watch(ctx, task, func(s *supervisor.Snapshot) (bool, error) {
			p, ok := s.Page(tab)
			return ok && done(p), nil
		})
		if err != nil {
			p, _ := task.Snapshot().Page(tab)
			t.Fatalf("%v: %+v %+v", err, p, p.Frames.Tree(frame.Limits{}))
		}
	}
	kit := &Kit{Directory: b.Local, Router: fakeRouter{}, FrameTree: func() frame.Limits { return frame.Limits{} }}
	cases := []struct {
		name     string
		prepare  func()
		children int
		blocked  bool
	}{
		{"frames", func() { sees(func(p *supervisor.Page) bool { return p.Ready && oopifs(p) == 1 }) }, 2, false},
		{"a dialog", func() {
			page.OpenDialog("confirm", "sure?", "")
			sees(func(p *supervisor.Page) bool { return p.BlockedBy != "" })
		}, 2, true},
	}
	for _, tc := range cases {
		tc.prepare()
		b.browser.ForgetSent()
		res, err := kit.snapshot(t.Context(), callOf(`{"task_id":"a","text":false}`))
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		if sent := b.browser.Sent(""); len(sent) != 0 {
			t.Errorf("%s: the browser was asked %v", tc.name, sent)
		}
		data, err := json.Marshal(res.Structured)
		if err != nil {
			t.Fatal(err)
		}
		var shown struct {
			Blocked bool                     `json:"blocked"`
			Tree    struct{ Children []any } `json:"frame_tree"`
		}
		if err := json.Unmarshal(data, &shown); err != nil {
			t.Fatal(err)
		}
		if len(shown.Tree.Children) != tc.children || shown.Blocked != tc.blocked {
			t.Errorf("%s: %s", tc.name, data)
		}
	}
}

func oopifs(p *supervisor.Page) (n int) {
	for f := range p.Frames.Frames() {
		if f.SessionID != "" && !f.Top {
			n++
		}
	}
	return n
}
