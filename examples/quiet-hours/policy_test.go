package main

import (
	"errors"
	"testing"
	"time"

	"cdphost/sdk"
	"cdphost/sdk/conformance"
	"cdphost/sdk/sdktest"
)

func at(clock string) func() time.Time {
	return func() time.Time {
		t, err := time.Parse(time.RFC3339, "2026-01-15T"+clock+":30Z")
		if err != nil {
			panic(err)
		}
		return t
	}
}

func TestConforms(t *testing.T) {
	t.Parallel()
	conformance.Test(t, plugin(time.Now), nil)
}

func TestHours(t *testing.T) {
	t.Parallel()
	night := map[string]any{"from": "22:00", "to": "07:00", "time_zone": "UTC"}
	lunch := map[string]any{"from": "12:00", "to": "13:30", "time_zone": "UTC", "do": "accept"}
	always := map[string]any{"from": "00:00", "to": "24:00"}
	berlin := map[string]any{"from": "22:00", "to": "07:00", "time_zone": "Europe/Berlin"}
	for _, tc := range []struct {
		name   string
		config map[string]any
		now    string
		want   sdk.Action
	}{
		{"before the night", night, "21:59", sdk.Hold},
		{"the night begins", night, "22:00", sdk.Dismiss},
		{"after midnight", night, "00:00", sdk.Dismiss},
		{"its last minute", night, "06:59", sdk.Dismiss},
		{"the day begins", night, "07:00", sdk.Hold},
		{"within a day", lunch, "12:00", sdk.Accept},
		{"after it", lunch, "13:30", sdk.Hold},
		{"all day", always, "15:00", sdk.Dismiss},
		{"another zone", berlin, "21:00", sdk.Dismiss},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			running := sdktest.Start(t, plugin(at(tc.now)), tc.config)
			got, err := running.Decide(t.Context(), sdk.DialogRequest{Policy: "quiet-hours", Dialog: sdk.Dialog{Type: sdk.Confirm}})
			if err != nil || got.Do != tc.want {
				t.Errorf("got %+v, %v, want %s", got, err, tc.want)
			}
		})
	}
}

func TestConfigurationsThatAreRefused(t *testing.T) {
	t.Parallel()
	for path, value := range map[string]string{"from": "25:00", "to": "seven", "time_zone": "Europe/Atlantis", "do": "hold"} {
		_, err := sdktest.Configure(t, plugin(time.Now), map[string]any{path: value})
		var problem *sdk.ConfigError
		if !errors.As(err, &problem) || problem.Path != path {
			t.Errorf("%s: %s: got %v", path, value, err)
		}
	}
}
