package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"

	"cdphost/sdk"
	"cdphost/sdk/conformance/suite"
	"cdphost/sdk/fault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type settings struct {
	Name string `json:"name"`
}

// every is a plugin with every hook; change spoils it.
func every(change func(*sdk.Info, *sdk.Hooks)) *sdk.Plugin {
	info := sdk.Info{
		Name: "every", Version: "1.0.0", Policies: []string{"one", "two"},
		Hooks: []sdk.Hook{
			sdk.HookDialogPolicy, sdk.HookFrameRouter, sdk.HookDialogBridge, sdk.HookCommandGuard, sdk.HookToolProvider, sdk.HookEventSubscriber,
		},
	}
	good := func(host *sdk.Host) sdk.Hooks {
		g := goodHooks{host: host}
		return sdk.Hooks{DialogPolicy: g, FrameRouter: g, DialogBridge: bridge{}, CommandGuard: guard{}, ToolProvider: g, EventSubscriber: g}
	}
	if change != nil {
		hooks := good(nil)
		change(&info, &hooks)
	}
	return sdk.New(info, settings{}, func(_ context.Context, env sdk.Env[settings]) (sdk.Hooks, error) {
		hooks := good(env.Host)
		if change != nil {
			ignored := sdk.Info{}
			change(&ignored, &hooks)
		}
		return hooks, nil
	})
}

type goodHooks struct{ host *sdk.Host }

func (goodHooks) Decide(_ context.Context, req sdk.DialogRequest) (sdk.Verdict, error) {
	if req.Policy != "one" && req.Policy != "two" {
		return sdk.Verdict{}, errors.New("no such policy")
	}
	return sdk.Verdict{Do: sdk.Hold}, nil
}

func (goodHooks) Route(_ context.Context, req sdk.RouteRequest) (sdk.Route, error) {
	if req.OwnSession == "" {
		return sdk.Route{}, fault.New(fault.SameProcessFrame, "evaluate contentWindow in the top page")
	}
	return sdk.Route{SessionID: req.OwnSession}, nil
}

func (goodHooks) Tools() []sdk.Tool {
	return []sdk.Tool{{Name: "look", Description: "looks", InputSchema: json.RawMessage(`{"type":"object"}`)}}
}

func (g goodHooks) CallTool(ctx context.Context, call sdk.ToolCall) (sdk.ToolResult, error) {
	if call.Name != "look" {
		return sdk.ToolResult{}, errors.New("no such tool")
	}
	h, err := g.host.Capture(ctx, call.Task)
	if err != nil {
		return sdk.ToolResult{}, err
	}
	defer func() { _ = h.Release(context.WithoutCancel(ctx)) }()
	return sdk.ToolResult{Text: "seen"}, h.Evaluate(ctx, "1", nil)
}

func (goodHooks) Events() []string                             { return []string{"Host.*", "Page.frameNavigated"} }
func (goodHooks) Deliver(context.Context, []sdk.Event, uint64) {}

type guard struct{ methods []string }

func (g guard) Filter() sdk.Filter {
	if g.methods == nil {
		g.methods = []string{"Input.*", "Page.navigate"}
	}
	return sdk.Filter{Methods: g.methods}
}

func (guard) Validate(context.Context, sdk.GuardRequest) (sdk.GuardVerdict, error) {
	return sdk.Deny("not today"), nil
}

type bridge struct {
	release []sdk.Command
	takes   bool
}

func (b bridge) Setup() sdk.BridgeSetup {
	if b.release == nil {
		b.release = []sdk.Command{{Method: "Runtime.evaluate"}}
	}
	return sdk.BridgeSetup{Claims: []sdk.Claim{{Method: "Runtime.bindingCalled", Binding: "b{{token}}", Release: b.release}}}
}

func (b bridge) Recognise(context.Context, sdk.BridgeEvent) (*sdk.BridgedDialog, error) {
	if b.takes {
		return &sdk.BridgedDialog{Type: sdk.Alert}, nil
	}
	return nil, nil //nolint:nilnil // not mine, as documented
}

func (bridge) Answer(context.Context, sdk.BridgeAnswer) ([]sdk.Command, error) { return nil, nil }

func TestAGoodPluginPasses(t *testing.T) {
	t.Parallel()
	Test(t, every(nil), map[string]any{"name": "x"})
}

// TestWhatFails makes sure that each check can.
func TestWhatFails(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(*sdk.Info, *sdk.Hooks)
		want   string
	}{
		"no version":        {func(i *sdk.Info, _ *sdk.Hooks) { i.Version = "" }, "it says what it is"},
		"no policies":       {func(i *sdk.Info, _ *sdk.Hooks) { i.Policies = nil }, "it says what it is"},
		"a hook is missing": {func(_ *sdk.Info, h *sdk.Hooks) { h.FrameRouter = nil }, "it is configured"},
		"unwell": {func(_ *sdk.Info, h *sdk.Hooks) {
			h.Health = func(context.Context) error { return errors.New("no disk") }
		}, "it is well"},
		"a verdict nobody knows": {policy(func(sdk.DialogRequest) (sdk.Verdict, error) {
			return sdk.Verdict{Do: "maybe"}, nil
		}), "dialog-policy: verdicts are valid"},
		"a text with a hold": {policy(func(sdk.DialogRequest) (sdk.Verdict, error) {
			text := "x"
			return sdk.Verdict{Do: sdk.Hold, Text: &text}, nil
		}), "dialog-policy: verdicts are valid"},
		"a panic on an odd url": {policy(func(r sdk.DialogRequest) (sdk.Verdict, error) {
			if r.Dialog.URL == "://" {
				panic(r.Dialog.URL)
			}
			return sdk.Verdict{Do: sdk.Hold}, nil
		}), "dialog-policy: verdicts are valid"},
		"every policy is known": {policy(func(sdk.DialogRequest) (sdk.Verdict, error) {
			return sdk.Verdict{Do: sdk.Hold}, nil
		}), "dialog-policy: an unknown policy is an error"},
		"into the top page": {func(_ *sdk.Info, h *sdk.Hooks) {
			h.FrameRouter = sdk.FrameRouterFunc(func(_ context.Context, r sdk.RouteRequest) (sdk.Route, error) {
				return sdk.Route{SessionID: r.ProcessSession}, nil
			})
		}, "frame-router: nothing lands in the top page"},
		"past the frame's session": {func(_ *sdk.Info, h *sdk.Hooks) {
			h.FrameRouter = sdk.FrameRouterFunc(func(context.Context, sdk.RouteRequest) (sdk.Route, error) {
				return sdk.Route{SessionID: "X"}, nil
			})
		}, "frame-router: a frame with a session is routed to it"},
		"no release":      {func(_ *sdk.Info, h *sdk.Hooks) { h.DialogBridge = bridge{release: []sdk.Command{}} }, "dialog-bridge: its claims can be told from the page's own"},
		"takes every one": {func(_ *sdk.Info, h *sdk.Hooks) { h.DialogBridge = bridge{takes: true} }, "dialog-bridge: it leaves events that are not its own"},
		"no method":       {func(_ *sdk.Info, h *sdk.Hooks) { h.CommandGuard = guard{[]string{"Input*"}} }, "command-guard: its filter is valid"},
		"a schema without a type": {func(_ *sdk.Info, h *sdk.Hooks) {
			h.ToolProvider = tools{goodHooks{}, sdk.Tool{Name: "look", Description: "x", InputSchema: json.RawMessage(`{}`)}}
		}, "tool-provider: its tools are valid"},
		"a leak": {func(_ *sdk.Info, h *sdk.Hooks) {
			if p, ok := h.ToolProvider.(goodHooks); ok {
				h.ToolProvider = leaky{p}
			}
		}, "every handle was released"},
		"a call that goes on": {func(_ *sdk.Info, h *sdk.Hooks) {
			if p, ok := h.ToolProvider.(goodHooks); ok {
				h.ToolProvider = stubborn{p}
			}
		}, "tool-provider: a call ends when it is cancelled"},
		"a panic in an event": {func(_ *sdk.Info, h *sdk.Hooks) { h.EventSubscriber = deaf{} }, "event-subscriber: batches are taken"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report := suite.Run(t.Context(), inProcess{t, every(tc.change)}, suite.Options{}, nil)
			var failed []string
			for _, r := range report.Results {
				if r.Status == suite.Failed {
					failed = append(failed, r.Check)
					if r.Advice == "" || r.Detail == "" {
						t.Errorf("%s says neither what nor what to do: %+v", r.Check, r)
					}
				}
			}
			if !slices.Contains(failed, tc.want) {
				t.Errorf("failed were %q, want %q", failed, tc.want)
			}
		})
	}
}

func policy(decide func(sdk.DialogRequest) (sdk.Verdict, error)) func(*sdk.Info, *sdk.Hooks) {
	return func(_ *sdk.Info, h *sdk.Hooks) {
		h.DialogPolicy = sdk.DialogPolicyFunc(func(_ context.Context, r sdk.DialogRequest) (sdk.Verdict, error) { return decide(r) })
	}
}

type tools struct {
	goodHooks
	tool sdk.Tool
}

func (p tools) Tools() []sdk.Tool { return []sdk.Tool{p.tool} }

type leaky struct{ goodHooks }

func (p leaky) CallTool(ctx context.Context, call sdk.ToolCall) (sdk.ToolResult, error) {
	_, err := p.host.Capture(ctx, call.Task)
	return sdk.ToolResult{}, err
}

// stubborn waits for the browser whatever becomes of its caller.
type stubborn struct{ goodHooks }

func (p stubborn) CallTool(ctx context.Context, call sdk.ToolCall) (sdk.ToolResult, error) {
	return p.goodHooks.CallTool(context.WithoutCancel(ctx), call)
}

type deaf struct{ goodHooks }

func (deaf) Deliver(_ context.Context, events []sdk.Event, _ uint64) { _ = events[0].Params[0] }

// endless never ends, until the test does.
type endless struct {
	goodHooks
	over <-chan struct{}
}

func (p endless) CallTool(context.Context, sdk.ToolCall) (sdk.ToolResult, error) {
	<-p.over
	return sdk.ToolResult{}, nil
}

func TestACallThatNeverEndsDoesNotHoldTheSuite(t *testing.T) {
	t.Parallel()
	over := make(chan struct{})
	defer close(over)
	plugin := every(func(_ *sdk.Info, h *sdk.Hooks) { h.ToolProvider = endless{goodHooks{}, over} })
	report := suite.Run(t.Context(), inProcess{t, plugin}, suite.Options{Patience: 600 * time.Millisecond}, nil)
	for _, r := range report.Results {
		if r.Check == "tool-provider: a call ends when it is cancelled" {
			if want := "look still runs 200ms after its call was cancelled"; r.Status != suite.Failed || r.Detail != want {
				t.Errorf("got %s: %s, want %s", r.Status, r.Detail, want)
			}
			return
		}
	}
	t.Error("it was not checked")
}

func TestUnknownKeysAreOneOfTheChecks(t *testing.T) {
	t.Parallel()
	report := suite.Run(t.Context(), inProcess{t, every(nil)}, suite.Options{Config: json.RawMessage(`{"nam":1}`)}, nil)
	if report.Failures() != 1 || report.Results[2].Check != "its configuration is accepted" || report.Results[2].Status != suite.Failed ||
		report.Results[len(report.Results)-1].Status != suite.Skipped {
		t.Errorf("got %+v", report.Results)
	}
}
