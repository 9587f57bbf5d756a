package config_test

import (
	"errors"
	"testing"

	"cdphost/host/config"
	"cdphost/sdk/fault"
)

const treeText = `plugins:
  dialog:
    config:
      rules:
        - {type: alert, do: hold}
        - type: confirm
          do: acept
      a.b: {c: [1, 2.5, true, null, 0x1F, 2024-01-01, ~, "x"]}
      fallback: must_respond
  frames: {config: }
`

func TestTreeJSON(t *testing.T) {
	t.Parallel()
	c := mustParse(t, treeText)
	want := `{"a.b":{"c":[1,2.5,true,null,31,"2024-01-01",null,"x"]},"fallback":"must_respond",` +
		`"rules":[{"do":"hold","type":"alert"},{"do":"acept","type":"confirm"}]}`
	if got := string(c.Plugins["dialog"].Config.JSON()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestTreePosition(t *testing.T) {
	t.Parallel()
	c := mustParse(t, treeText)
	tests := []struct {
		path      string
		line, col int
	}{
		{"", 4, 7},
		{"rules", 5, 9},
		{"rules[0].do", 5, 29},
		{"rules[1].do", 7, 15},
		{"rules.1.do", 7, 15},
		{"rules[1]", 6, 11},
		{"rules[2].do", 5, 9},
		{"rules[1].nope.deeper", 6, 11},
		{"rules[x]", 5, 9},
		{"rules[1", 5, 9},
		{"rules[99999999999999999999]", 5, 9},
		{"a.b.c[1]", 8, 20},
		{"a.b.c", 8, 16},
		{"fallback", 9, 17},
		{"fallback.x", 9, 17},
		{"nothing", 4, 7},
	}
	for _, tt := range tests {
		want := config.Position{File: "config.yaml", Line: tt.line, Column: tt.col}
		if got := c.Plugins["dialog"].Config.Position(tt.path); got != want {
			t.Errorf("%q: %v, want %v", tt.path, got, want)
		}
		if got := c.PluginError("dialog", tt.path, "x").Pos; got != want {
			t.Errorf("PluginError %q: %v, want %v", tt.path, got, want)
		}
	}
}

func TestPluginError(t *testing.T) {
	t.Parallel()
	c := mustParse(t, treeText)
	tests := []struct{ plugin, path, want string }{
		{"dialog", "rules[1].do", "config.yaml:7:15: plugins.dialog.config.rules[1].do: wrong"},
		{"dialog", "", "config.yaml:4:7: plugins.dialog.config: wrong"},
		{"dialog", "[0]", "config.yaml:4:7: plugins.dialog.config[0]: wrong"},
		{"frames", "same_process", "config.yaml: plugins.frames.config.same_process: wrong (the default)"},
		{"bridge-debugger", "x", "config.yaml: plugins.bridge-debugger.config.x: wrong (the default)"},
		{"nobody", "x", "config.yaml:2:3: plugins.nobody.config.x: wrong"},
	}
	for _, tt := range tests {
		err := c.PluginError(tt.plugin, tt.path, "wrong")
		if err.Error() != tt.want {
			t.Errorf("got  %v\nwant %s", err, tt.want)
		}
		if !errors.Is(err, fault.ConfigInvalid) {
			t.Error("not fault.ConfigInvalid")
		}
	}
}

func TestNilTree(t *testing.T) {
	t.Parallel()
	var tree *config.Tree
	if string(tree.JSON()) != "{}" || tree.Node() != nil || tree.Position("a").IsValid() || !tree.Equal(nil) {
		t.Error("a nil Tree is an empty one")
	}
}
