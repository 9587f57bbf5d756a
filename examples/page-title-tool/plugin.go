package main

import (
	"context"

	"cdphost/sdk"
)

type config struct {
	// Origins are those whose pages may be read; empty means all.
	Origins []string `json:"origins"`
}

func plugin() *sdk.Plugin {
	return sdk.New(sdk.Info{
		Name:        "page-title-tool",
		Version:     "1.0.0",
		Description: "tells an agent the title of its current page",
		Hooks:       []sdk.Hook{sdk.HookToolProvider},
	}, config{Origins: []string{}}, func(_ context.Context, env sdk.Env[config]) (sdk.Hooks, error) {
		return sdk.Hooks{ToolProvider: tool{host: env.Host, origins: env.Config.Origins}}, nil
	})
}
