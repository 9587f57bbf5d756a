package house

import (
	"path"
	"regexp"
	"strings"
	"testing"
)

var ours = regexp.MustCompile(`(?m)^\s*(?:require )?(cdphost[\w./-]*) v0\.0\.0`)

// TestModulesStandAlone wants a replace for each module of this repository that
// another one requires, so that GOWORK=off builds.
func TestModulesStandAlone(t *testing.T) {
	t.Parallel()
	mods := files(t, func(name string) bool {
		return path.Base(name) == "go.mod" && !strings.Contains("/"+name, "/testdata/")
	})
	if len(mods) < 6 {
		t.Fatalf("only %d modules found: %v", len(mods), mods)
	}
	for _, name := range mods {
		text := read(t, name)
		if !regexp.MustCompile(`(?m)^go 1\.26`).MatchString(text) {
			t.Errorf("%s: not for Go 1.26", name)
		}
		for _, required := range ours.FindAllStringSubmatch(text, -1) {
			if !strings.Contains(text, required[1]+" => .") {
				t.Errorf("%s requires %s and does not replace it by its folder", name, required[1])
			}
		}
	}
}

// TestEveryModuleHasAReadme holds for plugins and examples, which others copy.
func TestEveryModuleHasAReadme(t *testing.T) {
	t.Parallel()
	for _, name := range files(t, func(name string) bool { return path.Base(name) == "go.mod" }) {
		folder := path.Dir(name)
		if !strings.HasPrefix(folder, "plugins/") && !strings.HasPrefix(folder, "examples/") {
			continue
		}
		if len(files(t, func(name string) bool { return name == folder+"/README.md" })) == 0 {
			t.Errorf("%s has no README.md", folder)
		}
	}
}
