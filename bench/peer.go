package main

import (
	"context"
	"fmt"
	"regexp"
	"time"
)

// peer is a product under test: how to start it, and what its tools are called.
type peer struct {
	name string
	argv []string
	env  []string
	do   adapter
}

// adapter carries out one step through a product's own tools, as its
// documentation tells a model to. Errors are what the model would see.
type adapter interface {
	navigate(ctx context.Context, s *session, limit time.Duration, url string) error
	evaluate(ctx context.Context, s *session, limit time.Duration, expression string) (string, error)
	// act is click, hover, or a key press on #b.
	act(ctx context.Context, s *session, limit time.Duration, action string) error
	snapshot(ctx context.Context, s *session, limit time.Duration) (string, error)
	accept(ctx context.Context, s *session, limit time.Duration) error
	// find prepares act where a product wants a reference from a snapshot.
	find(ctx context.Context, s *session) error
}

type cdphost struct{}

func (cdphost) navigate(ctx context.Context, s *session, l time.Duration, url string) error {
	_, err := s.call(ctx, l, "browser_navigate", map[string]any{"url": url})
	return err
}

func (cdphost) evaluate(ctx context.Context, s *session, l time.Duration, e string) (string, error) {
	return s.call(ctx, l, "browser", map[string]any{"type": "evaluate", "expression": e})
}

func (cdphost) act(ctx context.Context, s *session, l time.Duration, action string) error {
	args := map[string]any{"type": action, "selector": "#b"}
	if action == "press_key" {
		args = map[string]any{"type": action, "key": "a"}
	}
	_, err := s.call(ctx, l, "browser", args)
	return err
}

func (cdphost) snapshot(ctx context.Context, s *session, l time.Duration) (string, error) {
	return s.call(ctx, l, "browser_snapshot", nil)
}

func (cdphost) accept(ctx context.Context, s *session, l time.Duration) error {
	_, err := s.call(ctx, l, "browser_dialog", map[string]any{"action": "accept"})
	return err
}

func (cdphost) find(context.Context, *session) error { return nil }

type playwright struct{}

func (playwright) navigate(ctx context.Context, s *session, l time.Duration, url string) error {
	_, err := s.call(ctx, l, "browser_navigate", map[string]any{"url": url})
	return err
}

func (playwright) evaluate(ctx context.Context, s *session, l time.Duration, e string) (string, error) {
	return s.call(ctx, l, "browser_evaluate", map[string]any{"function": "() => " + e})
}

func (playwright) act(ctx context.Context, s *session, l time.Duration, action string) error {
	name := map[string]string{"click": "browser_click", "hover": "browser_hover", "press_key": "browser_press_key"}[action]
	args := map[string]any{"element": "the button", "target": "#b"}
	if action == "press_key" {
		args = map[string]any{"key": "a"}
	}
	_, err := s.call(ctx, l, name, args)
	return err
}

func (playwright) snapshot(ctx context.Context, s *session, l time.Duration) (string, error) {
	return s.call(ctx, l, "browser_snapshot", map[string]any{})
}

func (playwright) accept(ctx context.Context, s *session, l time.Duration) error {
	_, err := s.call(ctx, l, "browser_handle_dialog", map[string]any{"accept": true})
	return err
}

func (playwright) find(context.Context, *session) error { return nil }

// devtools wants a uid from its last snapshot for every element.
type devtools struct{ uid *string }

var devtoolsButton = regexp.MustCompile(`uid=(\S+) (?:button|textbox)`)

func (d devtools) navigate(ctx context.Context, s *session, l time.Duration, url string) error {
	_, err := s.call(ctx, l, "navigate_page", map[string]any{"type": "url", "url": url})
	return err
}

func (devtools) evaluate(ctx context.Context, s *session, l time.Duration, e string) (string, error) {
	return s.call(ctx, l, "evaluate_script", map[string]any{"function": "() => " + e})
}

func (d devtools) act(ctx context.Context, s *session, l time.Duration, action string) error {
	args := map[string]any{"uid": *d.uid}
	if action == "press_key" {
		args = map[string]any{"key": "a"}
	}
	_, err := s.call(ctx, l, action, args)
	return err
}

func (devtools) snapshot(ctx context.Context, s *session, l time.Duration) (string, error) {
	return s.call(ctx, l, "take_snapshot", map[string]any{})
}

func (devtools) accept(ctx context.Context, s *session, l time.Duration) error {
	_, err := s.call(ctx, l, "handle_dialog", map[string]any{"action": "accept"})
	return err
}

func (d devtools) find(ctx context.Context, s *session) error {
	text, err := s.call(ctx, 30*time.Second, "take_snapshot", map[string]any{})
	if err != nil {
		return err
	}
	m := devtoolsButton.FindStringSubmatch(text)
	if m == nil {
		return fmt.Errorf("no button in the snapshot: %s", firstLine(text))
	}
	*d.uid = m[1]
	return nil
}

type agentBrowser struct{}

func (agentBrowser) navigate(ctx context.Context, s *session, l time.Duration, url string) error {
	_, err := s.call(ctx, l, "agent_browser_open", map[string]any{"url": url})
	return err
}

func (agentBrowser) evaluate(ctx context.Context, s *session, l time.Duration, e string) (string, error) {
	return s.call(ctx, l, "agent_browser_eval", map[string]any{"script": e})
}

func (agentBrowser) act(ctx context.Context, s *session, l time.Duration, action string) error {
	name, args := "agent_browser_"+action, map[string]any{"selector": "#b"}
	if action == "press_key" {
		name, args = "agent_browser_press", map[string]any{"key": "a"}
	}
	_, err := s.call(ctx, l, name, args)
	return err
}

func (agentBrowser) snapshot(ctx context.Context, s *session, l time.Duration) (string, error) {
	return s.call(ctx, l, "agent_browser_snapshot", map[string]any{})
}

func (agentBrowser) accept(ctx context.Context, s *session, l time.Duration) error {
	_, err := s.call(ctx, l, "agent_browser_dialog_accept", map[string]any{})
	return err
}

func (agentBrowser) find(context.Context, *session) error { return nil }
