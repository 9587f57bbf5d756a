package config

import (
	"fmt"
	"maps"
	"slices"
)

// BuiltinTools are the tools that the host itself has.
var BuiltinTools = []string{
	"browser_navigate", "browser_snapshot", "browser_dialog", "browser_cdp",
	"browser_connect", "browser_disconnect", "browser", "task",
}

// policies that the built-in dialog plugin declares; the first is what the host
// does when no plugin decides.
var dialogPolicies = []string{"must_respond", "auto_dismiss", "auto_accept", "rules"}

// names are the values that only plugins can vouch for.
type names struct{ policies, bridges, tools []string }

// CheckNames checks the names in the configuration against those that the
// running plugins describe, beside those that are built in. It returns an
// ErrorList, or nil.
func (c *Config) CheckNames(policies, bridges, tools []string) error {
	known := c.builtinNames()
	known.policies = union(known.policies, policies)
	known.bridges = union(known.bridges, bridges)
	known.tools = union(known.tools, tools)
	return c.checkNames(known).err()
}

// builtinNames are those that need no third party's plugin.
func (c *Config) builtinNames() names {
	n := names{policies: dialogPolicies[:1], bridges: []string{"auto", "none"}, tools: BuiltinTools}
	for _, name := range slices.Sorted(maps.Keys(c.Plugins)) {
		switch b := c.Plugins[name].Builtin; b {
		case BuiltinDialog:
			n.policies = dialogPolicies
		case BuiltinBridgeBrowserbase, BuiltinBridgeDebugger:
			n.bridges = append(n.bridges, string(b))
		case BuiltinFrames:
		}
	}
	return n
}

// thirdParty reports whether a plugin may declare names of its own.
func (c *Config) thirdParty() bool {
	for _, p := range c.Plugins {
		if p.Path != "" {
			return true
		}
	}
	return false
}

func (c *Config) checkNames(known names) ErrorList {
	var errs ErrorList
	check := func(path, what, name string, known []string) {
		if name != "" && !slices.Contains(known, name) {
			e := c.ErrorAt(path, "unknown %s %q", what, name)
			e.Suggestion, e.Allowed = suggest(name, known), known
			errs = append(errs, e)
		}
	}
	gates := func(path string, gates map[string]Gate) {
		for _, tool := range slices.Sorted(maps.Keys(gates)) {
			check(join(path, "gates."+tool), "tool", tool, known.tools)
		}
	}
	check("browser.dialog_policy", "policy", c.Browser.DialogPolicy, known.policies)
	check("browser.dialog_bridge", "bridge", c.Browser.DialogBridge, known.bridges)
	gates("", c.Gates)
	for _, name := range slices.Sorted(maps.Keys(c.Toolsets)) {
		t, path := c.Toolsets[name], "toolsets."+name
		check(path+".dialog_policy", "policy", t.DialogPolicy, known.policies)
		gates(path, t.Gates)
		for i, tool := range t.Tools {
			check(fmt.Sprintf("%s.tools[%d]", path, i), "tool", tool, known.tools)
		}
	}
	return errs
}

func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
