package house

import (
	"path"
	"regexp"
	"strings"
	"testing"
)

// TestEveryErrorIsExplained wants each code that an agent can get in the table of
// docs/agents.md.
func TestEveryErrorIsExplained(t *testing.T) {
	t.Parallel()
	doc := read(t, "docs/agents.md")
	codes := regexp.MustCompile(`Code = "([a-z_]+)"`).FindAllStringSubmatch(read(t, "sdk/fault/code.go"), -1)
	if len(codes) < 30 {
		t.Fatalf("only %d codes found", len(codes))
	}
	for _, code := range codes {
		if !strings.Contains(doc, "`"+code[1]+"`") {
			t.Errorf("docs/agents.md does not say what to do on %s", code[1])
		}
	}
}

// TestEveryMetricIsExplained wants each metric in docs/operators.md.
func TestEveryMetricIsExplained(t *testing.T) {
	t.Parallel()
	doc := read(t, "docs/operators.md")
	names := regexp.MustCompile(`desc\("([a-z_]+)"`).FindAllStringSubmatch(read(t, "host/watch/collector.go"), -1)
	names = append(names, regexp.MustCompile(`Name: "cdphost_([a-z_]+)"`).FindAllStringSubmatch(read(t, "host/watch/metrics.go"), -1)...)
	if len(names) < 15 {
		t.Fatalf("only %d metrics found", len(names))
	}
	for _, name := range names {
		short := "`..._" + strings.TrimPrefix(name[1], "plugin_") + "`"
		if !strings.Contains(doc, "cdphost_"+name[1]+"`") && !strings.Contains(doc, short) {
			t.Errorf("docs/operators.md does not explain cdphost_%s", name[1])
		}
	}
}

// TestLinksLead wants the files that documents link to.
func TestLinksLead(t *testing.T) {
	t.Parallel()
	all := map[string]bool{}
	for _, name := range files(t, func(string) bool { return true }) {
		all[name] = true
	}
	link := regexp.MustCompile(`\]\(([^)#:]+)\)`)
	for _, name := range []string{"README.md", "docs/agents.md", "docs/operators.md", "docs/architecture.md"} {
		for _, to := range link.FindAllStringSubmatch(read(t, name), -1) {
			target := path.Join(path.Dir(name), to[1])
			if !all[target] {
				t.Errorf("%s links to %s, which is not there", name, to[1])
			}
		}
	}
}
