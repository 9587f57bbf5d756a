package config_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cdphost/host/config"
)

func TestEmptyFilesAreTheDefaults(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "\n", "# nothing\n", "---\n", "{}", "null\n", "\ufeffbrowser:\n", "browser:\nplugins:\nlog: {level: }\n"} {
		if changes := config.Diff(config.Defaults(), mustParse(t, text)); len(changes) > 0 {
			t.Errorf("%q: %v", text, changes)
		}
	}
}

func TestMergeByName(t *testing.T) {
	t.Parallel()
	c := mustParse(t, `
plugins:
  bridge-debugger: null
  dialog: {config: {fallback: auto_dismiss}}
  guard: {path: ./bin/guard, priority: 7, timeout_ms: 250, grants: {toolsets: [mine]}}
toolsets:
  core: null
  browser: {token: hunter2}
  mine: {tools: [browser], budgets: {max_seconds: 1.5}}
gates: {browser_cdp: never, task: null, browser: "env:X"}
`)
	if _, there := c.Plugins["bridge-debugger"]; there {
		t.Error("bridge-debugger is still there")
	}
	if p := c.Plugins["dialog"]; p.Builtin != "dialog" || string(p.Config.JSON()) != `{"fallback":"auto_dismiss"}` {
		t.Errorf("dialog: %+v", p)
	}
	guard := c.Plugins["guard"]
	if guard.Name != "guard" || guard.Priority != 7 || guard.OnFailure != config.Deny || guard.Timeout != 250*time.Millisecond {
		t.Errorf("guard: %+v", guard)
	}
	if ts := c.Toolsets["browser"]; len(ts.Tools) != 7 || ts.Token.Reveal() != "hunter2" {
		t.Errorf("browser: %+v", ts)
	}
	if ts := c.Toolsets["mine"]; ts.Name != "mine" || ts.Budgets.MaxTime != 1500*time.Millisecond {
		t.Errorf("mine: %+v", ts)
	}
	if _, there := c.Toolsets["core"]; there {
		t.Error("core is still there")
	}
	want := map[string]config.Gate{"browser_dialog": "cdp", "browser_cdp": "never", "browser": "env:X"}
	if diff := cmp.Diff(want, c.Gates); diff != "" {
		t.Error(diff)
	}
}

func TestPluginBecomesAnother(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, builtin, config string }{
		{"path drops builtin and config", "dialog: {path: /bin/x}", "", `{}`},
		{"path with its own config", "dialog: {path: /bin/x, config: {a: 1}}", "", `{"a":1}`},
		{"same builtin keeps config", "dialog: {builtin: dialog}", "dialog", `{"fallback":"must_respond","rules":[]}`},
		{"other builtin drops config", "frames: {builtin: bridge-debugger}", "bridge-debugger", `{}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			name, _, _ := strings.Cut(tt.text, ":")
			p := mustParse(t, "plugins: {"+tt.text+"}").Plugins[name]
			if string(p.Builtin) != tt.builtin || string(p.Config.JSON()) != tt.config {
				t.Errorf("builtin %q, config %s", p.Builtin, p.Config.JSON())
			}
		})
	}
}

func TestListsReplace(t *testing.T) {
	t.Parallel()
	c := mustParse(t, "toolsets: {browser: {tools: [browser]}, hermes-api-server: {cdp: {allow: []}}}")
	if got := c.Toolsets["browser"].Tools; !slices.Equal(got, []string{"browser"}) {
		t.Errorf("tools %v", got)
	}
	rules := c.Toolsets["hermes-api-server"].CDP
	if len(rules.Allow) != 0 || !slices.Equal(rules.Deny, []string{"Browser.close"}) {
		t.Errorf("cdp %+v", rules)
	}
}

func TestCDPURLMeansBackendCDP(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text string
		want config.Backend
	}{
		{"browser: {cdp_url: 'localhost:9222'}", config.BackendCDP},
		{"browser: {cdp_url: 'localhost:9222', backend: }", config.BackendCDP},
		{"browser: {cdp_url: 'localhost:9222', backend: local}", config.BackendLocal},
		{"browser: {cdp_url: '${SET}'}", config.BackendCDP},
		{"browser: {cdp_url: '${UNSET}'}", config.BackendLocal},
		{"browser: {cdp_url: ''}", config.BackendLocal},
		{"browser: {cdp_url: '${UNSET}', backend: cdp}", config.BackendCDP},
	}
	for _, tt := range tests {
		if got := mustParse(t, tt.text, "SET", "ws://h/devtools/browser/1").Browser.Backend; got != tt.want {
			t.Errorf("%s: backend %s", tt.text, got)
		}
	}
}

func TestAnchorsAndMergeKeys(t *testing.T) {
	t.Parallel()
	c := mustParse(t, `
toolsets:
  one: &one {tools: &tools [browser], dialog_policy: auto_accept}
  two: {<<: *one, dialog_policy: must_respond}
  three: {tools: *tools}
plugins:
  dialog: {config: {rules: [&r {do: hold, type: alert}, {<<: [*r], do: accept}]}}
`)
	if two := c.Toolsets["two"]; two.DialogPolicy != "must_respond" || len(two.Tools) != 1 {
		t.Errorf("two: %+v", two)
	}
	if three := c.Toolsets["three"]; len(three.Tools) != 1 || three.DialogPolicy != "" {
		t.Errorf("three: %+v", three)
	}
	want := `{"rules":[{"do":"hold","type":"alert"},{"do":"accept","type":"alert"}]}`
	if got := string(c.Plugins["dialog"].Config.JSON()); got != want {
		t.Errorf("config %s", got)
	}
}

func TestGate(t *testing.T) {
	t.Parallel()
	c := mustParse(t, "toolsets: {core: {gates: {browser_dialog: never, browser: 'env:HOME'}}}")
	tests := []struct {
		toolset, tool, path string
		gate                config.Gate
	}{
		{"core", "browser_dialog", "toolsets.core.gates.browser_dialog", "never"},
		{"core", "browser", "toolsets.core.gates.browser", "env:HOME"},
		{"browser", "browser_dialog", "gates.browser_dialog", "cdp"},
		{"browser", "browser_navigate", "", "always"},
	}
	for _, tt := range tests {
		if g, path := c.Gate(tt.toolset, tt.tool); g != tt.gate || path != tt.path {
			t.Errorf("%s %s: %s by %q", tt.toolset, tt.tool, g, path)
		}
	}
	if name, ok := config.Gate("env:HOME").Env(); !ok || name != "HOME" {
		t.Errorf("Env: %q %v", name, ok)
	}
	if _, ok := config.GateCDP.Env(); ok {
		t.Error("cdp is no env gate")
	}
}

func TestSubagentOn(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		env        []string
		on         bool
		why        string
	}{
		{"default", "", nil, false, "the file sets no subagent.model"},
		{"key alone", "", []string{"OPENAI_API_KEY", "k"}, false, "the file sets no subagent.model"},
		{"auto", "subagent: {model: {provider: anthropic, model: m}}", nil, true, "the file sets subagent.model"},
		{"on", "subagent: {enabled: on, model: {provider: openai, model: m}}", nil, true, "subagent.enabled is on"},
		{"off", "subagent: {enabled: off, model: {provider: openai, model: m}}", nil, false, "subagent.enabled is off"},
		{
			"environment", "subagent: {enabled: on, model: {provider: openai, model: m}}",
			[]string{config.SubagentEnv, "False"}, false, "the environment has ENABLE_BUILTIN_BROWSER_SUBAGENT=false",
		},
	}
	for _, tt := range tests {
		if on, why := mustParse(t, tt.text, tt.env...).SubagentOn(); on != tt.on || why != tt.why {
			t.Errorf("%s: %v, %q", tt.name, on, why)
		}
	}
}
