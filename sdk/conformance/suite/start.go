package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cdphost/sdk"
	"cdphost/sdk/internal/host2plugin"
	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
	"cdphost/sdk/proto/wire"
)

var startChecks = []check{
	{
		name: "it starts", needed: true, run: itStarts,
		advice: "main must do nothing but sdk.Serve; what stops it must go to stderr",
	},
	{
		name: "it says what it is", needed: true, run: itDescribesItself,
		advice: "fill in sdk.Info: Name, Version, Hooks, and Policies exactly when it is a dialog-policy",
	},
	{
		name: "its configuration is accepted", needed: true, run: configIsAccepted,
		advice: "give the configuration that it needs (plugin check: --config FILE), or defaults that are valid",
	},
	{
		name: "an unknown key is refused", run: unknownKeyIsRefused,
		advice: "let sdk.New decode the configuration, or refuse unknown keys with a ConfigError that has the key as its Path",
	},
	{
		name: "a configuration of the wrong shape is refused", run: wrongShapeIsRefused,
		advice: "answer with ConfigErrors to everything that is no object of your keys",
	},
	{
		name: "it is configured", needed: true, run: itIsConfigured,
		advice: "the start function must return soon, with one implementation for each hook in Info.Hooks",
	},
	{
		name: "it is configured once", run: itIsConfiguredOnce,
		advice: "a second Configure must be an error; the host starts a new process for a new configuration",
	},
	{
		name: "it is well", run: itIsWell,
		advice: "Health must return nil soon after the start",
	},
}

func itStarts(ctx context.Context, s *session) (string, error) {
	i, err := s.start(ctx)
	if err == nil {
		s.first, s.ask = i, host2plugin.New(i.Conn)
	}
	return "", err
}

// hooks are the names of the protocol's hooks.
var hooks = map[pluginv1.Hook]sdk.Hook{
	pluginv1.Hook_HOOK_DIALOG_POLICY:    sdk.HookDialogPolicy,
	pluginv1.Hook_HOOK_FRAME_ROUTER:     sdk.HookFrameRouter,
	pluginv1.Hook_HOOK_DIALOG_BRIDGE:    sdk.HookDialogBridge,
	pluginv1.Hook_HOOK_COMMAND_GUARD:    sdk.HookCommandGuard,
	pluginv1.Hook_HOOK_TOOL_PROVIDER:    sdk.HookToolProvider,
	pluginv1.Hook_HOOK_EVENT_SUBSCRIBER: sdk.HookEventSubscriber,
}

func itDescribesItself(ctx context.Context, s *session) (string, error) {
	d, err := pluginv1.NewPluginClient(s.first.Conn).Describe(ctx, &pluginv1.DescribeRequest{})
	if err != nil {
		return "", wire.FromStatus(err, "the plugin")
	}
	r := &s.report
	r.Name, r.Version, r.Description, r.Policies = d.GetName(), d.GetVersion(), d.GetDescription(), d.GetPolicies()
	var wrong []error
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf(format, args...)) }
	for _, h := range d.GetHooks() {
		name, known := hooks[h]
		switch {
		case !known:
			say("hook %d is not known; there are %v", h, slices.Sorted(maps.Values(hooks)))
		case slices.Contains(r.Hooks, name):
			say("the hook %s is named twice", name)
		default:
			r.Hooks = append(r.Hooks, name)
		}
	}
	if strings.TrimSpace(r.Name) == "" {
		say("it has no name")
	}
	if strings.TrimSpace(r.Version) == "" {
		say("it has no version")
	}
	if len(r.Hooks) == 0 {
		say("it has no hook")
	}
	switch policy := slices.Contains(r.Hooks, sdk.HookDialogPolicy); {
	case policy && len(r.Policies) == 0:
		say("it is a dialog-policy and names no policy")
	case !policy && len(r.Policies) > 0:
		say("it names policies and is no dialog-policy")
	}
	if len(slices.Compact(slices.Sorted(slices.Values(r.Policies)))) < len(r.Policies) || slices.Contains(r.Policies, "") {
		say("its policies %q have an empty name, or one twice", r.Policies)
	}
	if c := d.GetDefaultConfig(); len(c) > 0 && object(c) == nil {
		say("its default configuration is no JSON object")
	}
	return fmt.Sprintf("%s %s: %s", r.Name, r.Version, join(r.Hooks)), errors.Join(wrong...)
}

func configIsAccepted(ctx context.Context, s *session) (string, error) {
	if object(s.config) == nil {
		return "", errors.New("the given configuration is no JSON object")
	}
	found, err := s.validate(ctx, string(s.config))
	return "", errors.Join(err, problems(found))
}

// unknownKey is no key of any configuration.
const unknownKey = "no_such_key_of_any_plugin"

func unknownKeyIsRefused(ctx context.Context, s *session) (string, error) {
	config := object(s.config)
	config[unknownKey] = json.RawMessage("1")
	raw, err := json.Marshal(config)
	if err != nil {
		return "", err
	}
	found, err := s.validate(ctx, string(raw))
	if err != nil {
		return "", err
	}
	for _, p := range found {
		if p.GetPath() == unknownKey {
			return "", nil
		}
	}
	if len(found) > 0 {
		return "", fmt.Errorf("it is refused, but no problem has the path %s, so that the host can't name its line: %w", unknownKey, problems(found))
	}
	return "", fmt.Errorf("the key %s was accepted", unknownKey)
}

func wrongShapeIsRefused(ctx context.Context, s *session) (string, error) {
	for _, config := range []string{`[]`, `"text"`, `{"`, "\x00"} {
		found, err := s.validate(ctx, config)
		if err := survived(fmt.Sprintf("the configuration %q", config), err); err != nil {
			return "", err
		}
		if err == nil && len(found) == 0 {
			return "", fmt.Errorf("the configuration %q was accepted", config)
		}
	}
	return "", nil
}

func itIsConfigured(ctx context.Context, s *session) (string, error) {
	var err error
	s.declared, err = s.configure(ctx, s.first, 1)
	return "", err
}

func itIsConfiguredOnce(ctx context.Context, s *session) (string, error) {
	_, err := s.configure(ctx, s.first, 1)
	if err == nil {
		return "", errors.New("it was configured twice")
	}
	return "", survived("a second Configure", err)
}

func itIsWell(ctx context.Context, s *session) (string, error) { return "", s.ask.Health(ctx) }

// object decodes a JSON object; nil when it is none.
func object(raw []byte) map[string]json.RawMessage {
	var o map[string]json.RawMessage
	if json.Unmarshal(raw, &o) != nil {
		return nil
	}
	return o
}

func join[S ~string](list []S) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = string(s)
	}
	return strings.Join(out, ", ")
}
