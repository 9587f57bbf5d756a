package main

import (
	"context"
	"path/filepath"
	"time"
)

// libraries are driven by programs of ours, which do what a user of the library
// would write: see library.mjs and library_go.go.
func libraries(bench, chrome string) ([]*peer, error) {
	program, err := filepath.Abs("library.mjs")
	if err != nil {
		return nil, err
	}
	var out []*peer
	for _, l := range []struct {
		name string
		argv []string
	}{
		{"playwright-core", []string{"node", program, "playwright", chrome}},
		{"puppeteer-core", []string{"node", program, "puppeteer", chrome}},
		{"chromedp", []string{bench, "library", "chromedp", chrome}},
		{"go-rod", []string{bench, "library", "rod", chrome}},
	} {
		argv := l.argv
		if argv[0] == "node" && asRoot() {
			argv = append(argv, "--no-sandbox")
		}
		start := func(ctx context.Context) (*session, error) { return startLibrary(ctx, argv, nil) }
		out = append(out, &peer{
			name: l.name, library: true, start: start, do: lined{},
			policies: []policy{{start: func(ctx context.Context) (*session, error) {
				s, err := start(ctx)
				if err != nil {
					return nil, err
				}
				_, err = s.call(ctx, hangLimit, "policy", nil)
				return s, err
			}}},
			crowd: start, crowdMax: 50,
			another: func(ctx context.Context, s *session, _ int, url string) error {
				_, err := s.call(ctx, time.Minute, "another", map[string]any{"url": url})
				return err
			},
		})
	}
	return out, nil
}

// lined is the adapter of all libraries.
type lined struct{}

func (lined) navigate(ctx context.Context, s *session, l time.Duration, url string) error {
	_, err := s.call(ctx, l, "navigate", map[string]any{"url": url})
	return err
}

func (lined) evaluate(ctx context.Context, s *session, l time.Duration, e string) (string, error) {
	return s.call(ctx, l, "evaluate", map[string]any{"expression": e})
}

func (lined) act(ctx context.Context, s *session, l time.Duration, action string) error {
	_, err := s.call(ctx, l, action, nil)
	return err
}

func (lined) snapshot(ctx context.Context, s *session, l time.Duration) (string, error) {
	return s.call(ctx, l, "snapshot", nil)
}

func (lined) accept(ctx context.Context, s *session, l time.Duration) error {
	_, err := s.call(ctx, l, "accept", nil)
	return err
}

func (lined) find(context.Context, *session) error { return nil }

func (lined) findFrame(context.Context, *session) error { return nil }

func (lined) inFrame(ctx context.Context, s *session, l time.Duration, e string) (string, error) {
	return s.call(ctx, l, "frame", map[string]any{"expression": e})
}
