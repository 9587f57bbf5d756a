package sdk_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"cdphost/sdk"
	"cdphost/sdk/sdktest"
)

// A whole plugin: its configuration, its policy, and the main function that
// serves it.
func ExampleServe() {
	type config struct {
		Greeting string `json:"greeting"`
	}
	plugin := sdk.New(sdk.Info{
		Name: "polite", Version: "1.0.0",
		Hooks: []sdk.Hook{sdk.HookDialogPolicy}, Policies: []string{"polite"},
	}, config{Greeting: "hello"}, func(_ context.Context, env sdk.Env[config]) (sdk.Hooks, error) {
		return sdk.Hooks{DialogPolicy: sdk.DialogPolicyFunc(
			func(_ context.Context, req sdk.DialogRequest) (sdk.Verdict, error) {
				if req.Dialog.Type == sdk.Prompt {
					return sdk.Verdict{Do: sdk.Accept, Text: &env.Config.Greeting}, nil
				}
				return sdk.Verdict{Do: sdk.Hold}, nil
			})}, nil
	})
	// func main() { sdk.Serve(plugin) }

	fmt.Println(plugin.Info().Policies)
	// Output: [polite]
}

// Test a plugin without a process.
func ExampleNew() {
	test(func(tb testing.TB) {
		tb.Helper()
		plugin := sdk.New(sdk.Info{
			Name: "impatient", Hooks: []sdk.Hook{sdk.HookDialogPolicy}, Policies: []string{"impatient"},
		}, struct {
			Seconds float64 `json:"seconds"`
		}{Seconds: 5}, func(_ context.Context, env sdk.Env[struct {
			Seconds float64 `json:"seconds"`
		}]) (sdk.Hooks, error) {
			wait := time.Duration(env.Config.Seconds * float64(time.Second))
			return sdk.Hooks{DialogPolicy: sdk.DialogPolicyFunc(
				func(context.Context, sdk.DialogRequest) (sdk.Verdict, error) {
					return sdk.Verdict{Do: sdk.Hold, Timeout: wait, Then: sdk.Accept}, nil
				})}, nil
		})
		running := sdktest.Start(tb, plugin, map[string]any{"seconds": 1.5})
		verdict, err := running.Decide(context.Background(), sdk.DialogRequest{Policy: "impatient"})
		fmt.Println(verdict.Do, verdict.Timeout, verdict.Then, err)

		_, err = sdktest.Configure(tb, plugin, map[string]any{"secondz": 1.5})
		fmt.Println(err)
	})
	// Output:
	// hold 1.5s accept <nil>
	// secondz: unknown key (allowed: seconds)
}

// A handle sends commands; before_send sees each with what the host knows of its
// place.
func ExampleHandle_Call() {
	test(func(tb testing.TB) {
		tb.Helper()
		task := sdk.Task{Caller: "me", ID: "shop"}
		running := sdktest.Start(tb, withHost(func(ctx context.Context, host *sdk.Host) error {
			h, err := host.Capture(ctx, task)
			if err != nil {
				return err
			}
			defer func() { _ = h.Release(ctx) }()
			reply, err := h.Call(ctx, "Runtime.evaluate", map[string]any{"expression": "1+1"},
				sdk.OnSession(h.PageSession()),
				sdk.WithBeforeSend(func(c sdk.Command, f sdk.Facts) error {
					if f.Origin != "https://shop.test" {
						return errors.New("not the shop")
					}
					return nil
				}))
			fmt.Println(string(reply), err)

			_, err = h.Call(ctx, "Page.crash", nil)
			if cdp, ok := sdk.AsCDPError(err); ok {
				fmt.Println(cdp.Code, cdp.Message)
			}
			return nil
		}), nil)
		running.Host.AddTask(task, sdk.Facts{SessionID: "S1", Origin: "https://shop.test"})
		running.Host.Handle("Runtime.evaluate", func(sdk.Command) (any, error) {
			return map[string]any{"result": map[string]any{"value": 2}}, nil
		})
		if _, err := running.CallTool(context.Background(), sdk.ToolCall{Task: task, Name: "run"}); err != nil {
			fmt.Println(err)
		}
	})
	// Output:
	// {"result":{"value":2}} <nil>
	// -32601 'Page.crash' wasn't found
}

// A guard judges the commands that its filter names.
func ExampleCommandGuard() {
	test(func(tb testing.TB) {
		tb.Helper()
		running := sdktest.Start(tb, sdk.New(sdk.Info{Name: "no-typing", Hooks: []sdk.Hook{sdk.HookCommandGuard}},
			struct{}{}, func(context.Context, sdk.Env[struct{}]) (sdk.Hooks, error) {
				return sdk.Hooks{CommandGuard: noTyping{}}, nil
			}), nil)
		_, err := running.Guard(context.Background(), sdk.GuardRequest{
			Command: sdk.Command{Method: "Input.insertText"}, Facts: sdk.Facts{Origin: "https://bank.test"},
		})
		fmt.Println(running.Declared.GuardMethods, err, errors.Is(err, sdk.ErrDenied))
	})
	// Output: [Input.*] denied: no input on https://bank.test true
}

type noTyping struct{}

func (noTyping) Filter() sdk.Filter {
	return sdk.Filter{Methods: []string{"Input.*"}, Compare: []string{sdk.FactOrigin}}
}

func (noTyping) Validate(_ context.Context, req sdk.GuardRequest) (sdk.GuardVerdict, error) {
	if strings.HasPrefix(req.Facts.Origin, "https://bank.") {
		return sdk.Deny("no input on " + req.Facts.Origin), nil
	}
	return sdk.Allow(), nil
}

// withHost is a plugin whose tool "run" runs f.
func withHost(f func(context.Context, *sdk.Host) error) *sdk.Plugin {
	return sdk.New(sdk.Info{Name: "with-host", Hooks: []sdk.Hook{sdk.HookToolProvider}}, struct{}{},
		func(_ context.Context, env sdk.Env[struct{}]) (sdk.Hooks, error) {
			return sdk.Hooks{ToolProvider: runTool{f, env.Host}}, nil
		})
}

type runTool struct {
	f    func(context.Context, *sdk.Host) error
	host *sdk.Host
}

func (runTool) Tools() []sdk.Tool {
	return []sdk.Tool{{Name: "run", InputSchema: json.RawMessage(`{"type":"object"}`)}}
}

func (r runTool) CallTool(ctx context.Context, _ sdk.ToolCall) (sdk.ToolResult, error) {
	return sdk.ToolResult{}, r.f(ctx, r.host)
}

// test runs f with a testing.TB, which examples do not have.
func test(f func(testing.TB)) {
	testing.RunTests(func(string, string) (bool, error) { return true, nil },
		[]testing.InternalTest{{Name: "example", F: func(t *testing.T) {
			t.Helper()
			f(t)
		}}})
}
