package house

import (
	"go/parser"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The host in layers: a package may import those to its right.
var (
	leaves     = []string{"host/cdp", "host/dialog", "host/frame", "host/endpoint"}
	link       = append([]string{"host/link"}, leaves...)
	supervisor = append([]string{"host/supervisor"}, link...)
	capture    = append([]string{"host/capture"}, supervisor...)
	page       = append([]string{"host/page"}, capture...)
	tool       = append([]string{"host/tool", "host/subagent"}, page...)
)

// mayImport holds, for a folder and what is below it, the folders of this
// repository that its product code may import, each with what is below it. The
// longest folder counts. All may import themselves; the host may also import
// sdk/fault, the codes of errors.
var mayImport = map[string][]string{
	".":               nil,
	"host/cdp":        nil,
	"host/dialog":     nil,
	"host/frame":      nil,
	"host/endpoint":   {"host/cdp"},
	"host/link":       leaves,
	"host/supervisor": link,
	"host/capture":    supervisor,
	"host/page":       capture,
	"host/subagent":   nil,
	"host/tool":       append([]string{"host/subagent"}, page...),
	"host/server":     tool,
	// What is measured and recorded; only the command hands it over.
	"host/watch": capture,
	// The operator's socket carries plain values; only the command knows what they mean.
	"host/server/control": nil,
	// The config file is decoded without knowing who uses it.
	"host/config": {"."},
	// The plugin side fills interfaces that the layers define.
	"host/plugin": append([]string{"sdk", "host/tool"}, capture...),
	// The demo is an agent: it sees the host as a client does.
	"host/demo": {"host/config", "host/server/control"},
	"host/cmd":  {".", "host", "plugins", "sdk"},
	"sdk":       nil,
	"plugins":   {"sdk"},
	"examples":  {"sdk"},
	"test":      {".", "host", "plugins", "sdk"},
	"bench":     {".", "host", "plugins", "sdk"},
	// Checks are handed to it; it knows only how to make and report them.
	"host/doctor": nil,
	// It gets the SDK's source from the command.
	"host/scaffold": nil,
}

// testSupport may be imported by tests only.
var testSupport = []string{"host/cdp/cdptest", "sdk/sdktest"}

func TestImportsGoOneWay(t *testing.T) {
	t.Parallel()
	for _, file := range sources(t, parser.ImportsOnly) {
		rule := ruleFor(file.folder())
		if rule == "" {
			t.Errorf("%s: no rule says what this folder may import; add one to mayImport", file.name)
			continue
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			folder, ours := ourFolder(imported)
			if ours && !allowed(rule, file, folder) {
				t.Errorf("%s imports %s, which packages below %s may not", file.name, imported, rule)
			}
		}
	}
}

// ruleFor returns the longest key of mayImport that folder is in.
func ruleFor(folder string) string {
	best := ""
	for rule := range mayImport {
		if within(folder, rule) && len(rule) > len(best) {
			best = rule
		}
	}
	return best
}

// within tells whether folder is parent or below it. The root's own package has
// nothing below it.
func within(folder, parent string) bool {
	return folder == parent || parent != "." && strings.HasPrefix(folder, parent+"/")
}

// ourFolder returns the folder of an import path of this repository.
func ourFolder(imported string) (string, bool) {
	if imported == "cdphost" {
		return ".", true
	}
	return strings.CutPrefix(imported, "cdphost/")
}

func allowed(rule string, file source, folder string) bool {
	in := func(parent string) bool { return within(folder, parent) }
	if slices.ContainsFunc(testSupport, in) {
		return file.test() || slices.ContainsFunc(append(testSupport, "test", "bench"), func(parent string) bool { return within(file.folder(), parent) })
	}
	switch {
	case in(rule), slices.ContainsFunc(mayImport[rule], in):
		return true
	case folder == "sdk/fault" && strings.HasPrefix(rule, "host/"):
		return true
	case !file.test():
		return false
	case strings.HasPrefix(rule, "host/"):
		// A test may use the host and the plugins as the command puts them together.
		return in("host") || in("plugins") || folder == "."
	default:
		return false
	}
}

// TestRules makes sure that the check can fail.
func TestRules(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		file, imports string
		want          bool
	}{
		{"host/link/link.go", "host/cdp", true},
		{"host/cdp/conn.go", "host/link", false},
		{"host/cdp/conn.go", "sdk/fault", true},
		{"host/cdp/conn.go", "sdk", false},
		{"host/cdp/conn.go", "host/cdp/cdptest", false},
		{"host/cdp/conn_test.go", "host/cdp/cdptest", true},
		{"host/tool/cdp.go", "host/plugin", false},
		{"host/server/http.go", "host/tool", true},
		{"host/tool/cdp.go", "host/server", false},
		{"host/subagent/loop.go", "host/tool", false},
		{"host/cmd/cdphost/main.go", "plugins/dialog", true},
		{"plugins/dialog/plugin.go", "sdk", true},
		{"plugins/dialog/plugin.go", "host/dialog", false},
		{"plugins/dialog/plugin_test.go", "host/dialog", false},
		{"sdk/handle.go", "host/capture", false},
		{"cdphost.go", "host/config", false},
	} {
		file := source{name: tc.file}
		if got := allowed(ruleFor(file.folder()), file, tc.imports); got != tc.want {
			t.Errorf("%s imports %s: got %v, want %v", tc.file, tc.imports, got, tc.want)
		}
	}
}
