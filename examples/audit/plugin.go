package main

import (
	"context"

	"cdphost/sdk"
)

type config struct {
	// File is appended to, and made when it is not there. Relative to where the
	// host was started.
	File string `json:"file"`
	// Events are "Domain.event" or "Domain.*"; the entry must grant them.
	Events []string `json:"events"`
}

// Validate is called by the SDK; the host shows each error with its line.
func (c *config) Validate() error {
	if c.File == "" {
		return &sdk.ConfigError{Path: "file", Message: "names no file"}
	}
	if len(c.Events) == 0 {
		return &sdk.ConfigError{Path: "events", Message: "names no event", Allowed: []string{"Host.*", "Page.frameNavigated", "..."}}
	}
	return nil
}

func plugin() *sdk.Plugin {
	return sdk.New(sdk.Info{
		Name:        "audit",
		Version:     "1.0.0",
		Description: "writes events to a file",
		Hooks:       []sdk.Hook{sdk.HookEventSubscriber},
	}, config{File: "audit.jsonl", Events: []string{"Host.*"}}, func(_ context.Context, env sdk.Env[config]) (sdk.Hooks, error) {
		j, err := open(env.Config.File)
		if err != nil {
			return sdk.Hooks{}, &sdk.ConfigError{Path: "file", Message: err.Error()}
		}
		s := &subscriber{events: env.Config.Events, journal: j, logger: env.Logger}
		return sdk.Hooks{EventSubscriber: s, Stop: s.stop, Health: s.health}, nil
	})
}
