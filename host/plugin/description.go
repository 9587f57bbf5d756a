package plugin

import (
	"encoding/json"
	"slices"

	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
)

// Description is what a plugin says of itself.
type Description struct {
	// Instance is the plugin's name in the configuration, Name what it calls itself.
	Instance    string
	Name        string
	Version     string
	Description string
	// Hooks are the hooks' names: dialog-policy, frame-router, dialog-bridge,
	// command-guard, tool-provider, event-subscriber.
	Hooks []string
	// Policies are names for browser.dialog_policy.
	Policies []string
	// Tools are the names of a tool provider's tools. Only Check knows them.
	Tools []string
	// DefaultConfig is a sample of the configuration.
	DefaultConfig json.RawMessage
}

// The names of the hooks.
const (
	hookPolicy = "dialog-policy"
	hookRouter = "frame-router"
	hookBridge = "dialog-bridge"
	hookGuard  = "command-guard"
	hookTool   = "tool-provider"
	hookEvent  = "event-subscriber"
)

var hookNames = map[pluginv1.Hook]string{
	pluginv1.Hook_HOOK_DIALOG_POLICY:    hookPolicy,
	pluginv1.Hook_HOOK_FRAME_ROUTER:     hookRouter,
	pluginv1.Hook_HOOK_DIALOG_BRIDGE:    hookBridge,
	pluginv1.Hook_HOOK_COMMAND_GUARD:    hookGuard,
	pluginv1.Hook_HOOK_TOOL_PROVIDER:    hookTool,
	pluginv1.Hook_HOOK_EVENT_SUBSCRIBER: hookEvent,
}

func describe(d *pluginv1.DescribeResponse) Description {
	out := Description{
		Name: clean(d.GetName(), 64), Version: clean(d.GetVersion(), 64),
		Description: clean(d.GetDescription(), 500), DefaultConfig: d.GetDefaultConfig(),
	}
	for _, h := range d.GetHooks() {
		if name, ok := hookNames[h]; ok && !slices.Contains(out.Hooks, name) {
			out.Hooks = append(out.Hooks, name)
		}
	}
	if out.has(hookPolicy) {
		for _, p := range d.GetPolicies() {
			out.Policies = append(out.Policies, clean(p, 64))
		}
	}
	return out
}

func (d *Description) has(hook string) bool { return slices.Contains(d.Hooks, hook) }
