package main

import (
	"encoding/json"
	"errors"
	"testing"

	"cdphost/sdk"
	"cdphost/sdk/conformance"
	"cdphost/sdk/fault"
	"cdphost/sdk/sdktest"
)

var task = sdk.Task{Caller: "me", ID: "shop"}

func start(t *testing.T, facts sdk.Facts) *sdktest.Running {
	t.Helper()
	running := sdktest.Start(t, plugin(), map[string]any{"origins": []string{"https://shop.example"}})
	facts.SessionID = "S1"
	running.Host.AddTask(task, facts)
	running.Host.Handle("Runtime.evaluate", func(sdk.Command) (any, error) {
		return map[string]any{"result": map[string]any{"value": page{"Shop", "https://shop.example/"}}}, nil
	})
	return running
}

func TestConforms(t *testing.T) {
	t.Parallel()
	conformance.Test(t, plugin(), nil)
}

func TestTitle(t *testing.T) {
	t.Parallel()
	running := start(t, sdk.Facts{Origin: "https://shop.example"})
	got, err := running.CallTool(t.Context(), sdk.ToolCall{Task: task, Name: toolName})
	if err != nil {
		t.Fatal(err)
	}
	if raw, _ := got.Structured.(json.RawMessage); got.Text != "Shop" || string(raw) != `{"title":"Shop","url":"https://shop.example/"}` {
		t.Errorf("got %q, %s", got.Text, raw)
	}
	if sent := running.Host.Sent(); len(sent) != 1 || sent[0].SessionID != "S1" {
		t.Errorf("sent were %+v", sent)
	}
	if n := running.Host.Open(); n != 0 {
		t.Errorf("%d handles are still held", n)
	}
}

func TestWhatIsNotSent(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		facts sdk.Facts
		want  fault.Code
	}{
		"another origin":   {sdk.Facts{Origin: "https://bank.example"}, fault.DomainBlocked},
		"a dialog is open": {sdk.Facts{Origin: "https://shop.example", DialogOpen: true}, fault.BlockedByDialog},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			running := start(t, tc.facts)
			if _, err := running.CallTool(t.Context(), sdk.ToolCall{Task: task, Name: toolName}); !errors.Is(err, tc.want) {
				t.Errorf("got %v, want %s", err, tc.want)
			}
			if sent := running.Host.Sent(); len(sent) != 0 {
				t.Errorf("sent were %+v", sent)
			}
		})
	}
}

func TestATaskWithoutABrowser(t *testing.T) {
	t.Parallel()
	running := sdktest.Start(t, plugin(), nil)
	if _, err := running.CallTool(t.Context(), sdk.ToolCall{Task: task, Name: toolName}); !errors.Is(err, sdk.ErrCaptureInvalid) {
		t.Errorf("got %v", err)
	}
}
