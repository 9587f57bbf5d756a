package config_test

import (
	"fmt"
	"strings"
	"testing"

	"cdphost/host/config"
)

func TestDiff(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, from, to, want string }{
		{"nothing", "", "", ""},
		{"order and style", "plugins: {x: {path: /x, config: {a: 1, b: 2}}}", "plugins:\n  x:\n    config: {b: 2, a: 1}\n    path: /x\n", ""},
		{"explicit defaults", "", "log: {level: info}\nbrowser: {args: []}", ""},
		{"sections", "", "log: {level: warn, format: json}\nbrowser: {frame_tree: {max_children: 1}, headless: false}",
			"browser changed: frame_tree.max_children, headless; log changed: format, level"},
		{"secret", "server: {token: a}", "server: {token: b}", "server changed: token"},
		{"plugin config", "", "plugins: {dialog: {config: {fallback: auto_accept}}}", "plugins.dialog changed: config"},
		{"plugin config by environment", "plugins: {dialog: {config: {a: '${A}'}}}", "plugins: {dialog: {config: {a: '1'}}}", ""},
		{"plugins", "plugins: {old: {path: /a}, dialog: null}\ntoolsets: {hermes-acp: null}",
			"plugins: {new: {path: /a}}\ntoolsets: {hermes-acp: null}",
			"plugins.dialog added; plugins.new added; plugins.old removed"},
		{"plugin becomes a program", "", "plugins: {frames: {path: /x, env: [HOME]}}", "plugins.frames changed: builtin, config, env, path"},
		{"toolset", "", "toolsets: {core: {tools: [task], gates: {task: never}, cdp: {deny: ['*']}}}",
			"toolsets.core changed: cdp.deny, gates, tools"},
		{"gates", "", "gates: {task: null, browser: never, browser_cdp: always}",
			"gates.browser added; gates.browser_cdp changed; gates.task removed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var lines []string
			for _, c := range config.Diff(mustParse(t, tt.from, "A", "1"), mustParse(t, tt.to)) {
				lines = append(lines, fmt.Sprint(c))
			}
			if got := strings.Join(lines, "; "); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}
