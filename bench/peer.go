package main

import (
	"context"
	"time"
)

// peer is a product or library under test: how to start it, and how to drive it.
type peer struct {
	name    string
	library bool // shown in the libraries' table
	start   func(ctx context.Context) (*session, error)
	// lean starts it with the fewest tools that the rows can do with, to weigh
	// their schemas; nil is start.
	lean func(ctx context.Context) (*session, error)
	do   adapter
	// policies are the ways in which it answers dialogs by itself.
	policies []policy
	// join starts it on a browser that runs already; nil where it can't.
	join func(ctx context.Context, ws string) (*session, error)
	// crowd starts it so that another gives one more agent a session of its own.
	crowd   func(ctx context.Context) (*session, error)
	another func(ctx context.Context, s *session, n int, url string) error
	// crowdMax is how many sessions fit this machine where each has a browser of its own.
	crowdMax int
}

// policy is one way of answering dialogs without the agent.
type policy struct {
	name  string // "" for the only one
	start func(ctx context.Context) (*session, error)
}

// adapter carries out one step through a product's own tools, as its
// documentation tells a model to. Errors are what the model would see.
type adapter interface {
	navigate(ctx context.Context, s *session, limit time.Duration, url string) error
	evaluate(ctx context.Context, s *session, limit time.Duration, expression string) (string, error)
	// act is click, hover or press_key, on #b.
	act(ctx context.Context, s *session, limit time.Duration, action string) error
	snapshot(ctx context.Context, s *session, limit time.Duration) (string, error)
	accept(ctx context.Context, s *session, limit time.Duration) error
	// find prepares act where a product wants a reference from a snapshot.
	find(ctx context.Context, s *session) error
	// findFrame and inFrame evaluate in the page's iframe of another site.
	findFrame(ctx context.Context, s *session) error
	inFrame(ctx context.Context, s *session, limit time.Duration, expression string) (string, error)
}
