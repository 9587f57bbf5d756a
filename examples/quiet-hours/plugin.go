package main

import (
	"context"
	"time"

	"cdphost/sdk"
)

// plugin returns the plugin; now is its clock.
func plugin(now func() time.Time) *sdk.Plugin {
	defaults := config{From: "22:00", To: "07:00", TimeZone: "Local", Do: "dismiss"}
	return sdk.New(sdk.Info{
		Name:        "quiet-hours",
		Version:     "1.0.0",
		Description: "answers dialogs by itself during the night, and holds them by day",
		Hooks:       []sdk.Hook{sdk.HookDialogPolicy},
		Policies:    []string{"quiet-hours"},
	}, defaults, func(_ context.Context, env sdk.Env[config]) (sdk.Hooks, error) {
		hours, err := env.Config.hours()
		return sdk.Hooks{DialogPolicy: policy{hours: hours, do: sdk.Action(env.Config.Do), now: now}}, err
	})
}
