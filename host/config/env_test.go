package config_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cdphost/host/config"
)

func TestExpand(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{"plain", "plain"}, {"${A}", "1"}, {"x${A}y${B}z", "x1y2z"}, {"$A", "$A"}, {"$", "$"},
		{"$${A}", "${A}"}, {"a$${A}${A}", "a${A}1"}, {"$$${A}", "$${A}"}, {"$${", "${"}, {"$${a-b}", "${a-b}"},
		{"${N}", "${A}"}, {"${UNSET}", ""}, {"a${UNSET}b", "ab"}, {"}${A}}", "}1}"}, {"{${A}", "{1"},
	}
	for _, tt := range tests {
		c := mustParse(t, fmt.Sprintf("browserbase: {region: %q}", tt.in), "A", "1", "B", "2", "N", "${A}")
		if got := c.Browserbase.Region; got != tt.want {
			t.Errorf("%q: %q", tt.in, got)
		}
	}
}

func TestUnset(t *testing.T) {
	t.Parallel()
	c := mustParse(t, `
browserbase:
  project_id: p
  region: "${REGION}-1"
plugins: {dialog: {config: {rules: [{text: "${TEXT}"}]}}}
toolsets: {hermes-api-server: null}
`, "OPENAI_API_KEY", "k")
	key := config.UnsetEnv{
		Name: "BROWSERBASE_API_KEY", Path: "browserbase.api_key", Pos: config.Defaults().Position("browserbase.api_key"),
	}
	want := []config.UnsetEnv{
		key,
		{Name: "REGION", Path: "browserbase.region", Pos: config.Position{File: "config.yaml", Line: 4, Column: 11}},
		{Name: "TEXT", Path: "plugins.dialog.config.rules[0].text", Pos: config.Position{File: "config.yaml", Line: 5, Column: 44}},
	}
	if diff := cmp.Diff(want, c.Unset()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	u, ok := c.UnsetAt("browserbase.region")
	if !ok || u.String() != "config.yaml:4:11: browserbase.region: ${REGION} is not set" {
		t.Errorf("%v %v", u, ok)
	}
	if c.Subagent.Model.APIKey.Reveal() != "k" {
		t.Error("a default's variable is not replaced")
	}
}

func TestKeysAreNotExpanded(t *testing.T) {
	t.Parallel()
	c := mustParse(t, `plugins: {dialog: {config: {"${A}": "${A}"}}}`, "A", "1")
	if got := string(c.Plugins["dialog"].Config.JSON()); got != `{"${A}":"1"}` {
		t.Error(got)
	}
}
