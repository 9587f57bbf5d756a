package main

import (
	"errors"
	"testing"

	"cdphost/sdk"
	"cdphost/sdk/conformance"
	"cdphost/sdk/sdktest"
)

func TestConforms(t *testing.T) {
	t.Parallel()
	conformance.Test(t, plugin(), map[string]any{"origins": []string{"https://example.com"}})
}

func TestOrigins(t *testing.T) {
	t.Parallel()
	running := sdktest.Start(t, plugin(), map[string]any{
		"origins": []string{"https://shop.example", "https://*.bank.example", "http://localhost:8080"},
	})
	for origin, allowed := range map[string]bool{
		"https://shop.example":           true,
		"https://www.bank.example":       true,
		"https://a.b.bank.example":       true,
		"http://localhost:8080":          true,
		"https://bank.example":           false,
		"https://evilbank.example":       false,
		"https://bank.example.evil.test": false,
		"http://shop.example":            false,
		"https://shop.example:8443":      false,
		"http://localhost:80801":         false,
		"null":                           false,
		"":                               false,
	} {
		_, err := running.Guard(t.Context(), sdk.GuardRequest{
			Command: sdk.Command{Method: "Input.dispatchMouseEvent"}, Facts: sdk.Facts{Origin: origin},
		})
		if errors.Is(err, sdk.ErrDenied) == allowed || allowed && err != nil {
			t.Errorf("%s: got %v", origin, err)
		}
	}
	if got := running.Declared.GuardMethods; len(got) != 1 || got[0] != "Input.*" {
		t.Errorf("it guards %v", got)
	}
}

func TestConfigurationsThatAreRefused(t *testing.T) {
	t.Parallel()
	for _, origin := range []string{"shop.example", "https://shop.example/path", "https://a.*.example", "https://u@shop.example", "://", ""} {
		_, err := sdktest.Configure(t, plugin(), map[string]any{"origins": []string{"https://ok.example", origin}})
		var problem *sdk.ConfigError
		if !errors.As(err, &problem) || problem.Path != "origins[1]" {
			t.Errorf("%q: got %v", origin, err)
		}
	}
}
