package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cdphost/sdk"
	"cdphost/sdk/conformance"
	"cdphost/sdk/sdktest"
)

func TestConforms(t *testing.T) {
	t.Parallel()
	conformance.Test(t, plugin(), map[string]any{"file": filepath.Join(t.TempDir(), "audit.jsonl")})
}

func TestLines(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "audit.jsonl")
	if err := os.WriteFile(file, []byte("{\"event\":\"kept\"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	running := sdktest.Start(t, plugin(), map[string]any{"file": file})
	if got := running.Declared.Events; len(got) != 1 || got[0] != "Host.*" {
		t.Errorf("it asks for %v", got)
	}
	when := time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)
	task := sdk.Task{Caller: "me", ID: "shop"}
	for dropped, e := range []sdk.Event{
		{Time: when, Task: task, Seq: 1, TabID: "t1", Method: "Host.dialogOpened", Params: json.RawMessage(`{"id":"d-1","message":"a\nb"}`)},
		{Time: when, Method: "Host.configSwapped", Params: json.RawMessage(`{not json`)},
	} {
		if err := running.Deliver(t.Context(), uint64(dropped), e); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n")
	if len(lines) != 4 {
		t.Fatalf("got %q", lines)
	}
	for i, want := range []string{
		`{"event":"kept"}`,
		`{"time":"2026-01-15T12:00:00Z","event":"Host.dialogOpened","caller":"me","task":"shop","seq":1,"tab":"t1","params":{"id":"d-1","message":"a\nb"}}`,
		`"event":"audit.lost","events_lost":1}`,
		`{"time":"2026-01-15T12:00:00Z","event":"Host.configSwapped"}`,
	} {
		if !strings.HasSuffix(lines[i], want) {
			t.Errorf("line %d is %s, want %s", i, lines[i], want)
		}
	}
}

func TestConfigurationsThatAreRefused(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		config map[string]any
		path   string
	}{
		"no file":        {map[string]any{"file": ""}, "file"},
		"no events":      {map[string]any{"events": []string{}}, "events"},
		"no such folder": {map[string]any{"file": filepath.Join(t.TempDir(), "none", "audit.jsonl")}, "file"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := sdktest.Configure(t, plugin(), tc.config)
			var problem *sdk.ConfigError
			if !errors.As(err, &problem) || problem.Path != tc.path {
				t.Errorf("got %v", err)
			}
		})
	}
}
