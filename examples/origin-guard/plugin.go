package main

import (
	"context"

	"cdphost/sdk"
)

func plugin() *sdk.Plugin {
	return sdk.New(sdk.Info{
		Name:        "origin-guard",
		Version:     "1.0.0",
		Description: "allows input on listed origins only",
		Hooks:       []sdk.Hook{sdk.HookCommandGuard},
	}, config{Origins: []string{}}, func(_ context.Context, env sdk.Env[config]) (sdk.Hooks, error) {
		return sdk.Hooks{CommandGuard: guard{env.Config.Origins}}, nil
	})
}
