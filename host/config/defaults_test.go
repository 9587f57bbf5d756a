package config_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gopkg.in/yaml.v3"

	"cdphost"
	"cdphost/host/config"
)

var ignoreOrigin = cmpopts.IgnoreUnexported(config.Config{})

// What the contract promises, spelled out a second time.
func TestDefaults(t *testing.T) {
	t.Parallel()
	want := config.Config{
		Browser: config.Browser{
			Backend: "local", Headless: true, Args: []string{}, Isolation: "context",
			DialogPolicy: "must_respond", DialogTimeout: 300 * time.Second, DialogBridge: "auto",
			DialogMessageCap: 2000, DialogFloodPerSecond: 20,
			FrameTree: config.FrameTree{MaxChildren: 30, MaxOOPIFDepth: 2}, ReadLimitBytes: 256 << 20,
			StandbyConnection: "auto", BlockedDomains: []string{},
		},
		Browserbase: config.Browserbase{BaseURL: "https://api.browserbase.com"},
		Plugins: map[string]config.Plugin{
			"dialog":             {Name: "dialog", Builtin: "dialog"},
			"frames":             {Name: "frames", Builtin: "frames"},
			"bridge-browserbase": {Name: "bridge-browserbase", Builtin: "bridge-browserbase"},
			"bridge-debugger":    {Name: "bridge-debugger", Builtin: "bridge-debugger"},
		},
		Toolsets: map[string]config.Toolset{
			"browser": {Name: "browser", Tools: []string{
				"browser_navigate", "browser_snapshot", "browser_dialog", "browser_cdp", "browser_connect",
				"browser_disconnect", "browser",
			}},
			"core": {Name: "core", Tools: []string{
				"browser_navigate", "browser_snapshot", "browser_dialog", "browser", "task",
			}},
			"hermes-acp": {Name: "hermes-acp", DialogPolicy: "auto_dismiss", Tools: []string{
				"browser_navigate", "browser_snapshot", "browser_dialog", "browser_cdp", "browser", "task",
			}},
			"hermes-api-server": {
				Name: "hermes-api-server", Tools: []string{
					"browser_navigate", "browser_snapshot", "browser_dialog", "browser_cdp", "browser", "task",
				},
				CDP: config.Rules{Allow: []string{"Page.*"}, Deny: []string{"Browser.close"}},
			},
		},
		Gates:    map[string]config.Gate{"browser_dialog": "cdp", "browser_cdp": "cdp", "task": "model"},
		Subagent: config.Subagent{Enabled: "auto", MaxActions: 40, MaxTime: 600 * time.Second},
		Server: config.Server{
			Listen: "127.0.0.1:7717", DefaultToolset: "browser", IdleTask: 30 * time.Minute,
			AllowedOrigins: []string{}, AllowedHosts: []string{},
		},
		Log: config.Log{Level: "info", Format: "text"},
	}
	pluginConfig := map[string]string{
		"dialog":             `{"fallback":"must_respond","rules":[]}`,
		"frames":             `{"same_process":"error"}`,
		"bridge-browserbase": `{"bypass_csp":false}`,
		"bridge-debugger":    `{}`,
	}
	got := config.Defaults()
	for name, p := range got.Plugins {
		if string(p.Config.JSON()) != pluginConfig[name] {
			t.Errorf("plugins.%s.config: %s", name, p.Config.JSON())
		}
		w := want.Plugins[name]
		w.Priority, w.OnFailure, w.Config = 50, "deny", p.Config
		want.Plugins[name] = w
	}
	for _, s := range []config.Secret{
		got.Browserbase.APIKey, got.Subagent.Model.APIKey, got.Toolsets["hermes-api-server"].Token,
	} {
		if !s.IsZero() || s.Missing() == "" {
			t.Errorf("a default secret is %v, missing %q", s, s.Missing())
		}
	}
	if diff := cmp.Diff(&want, got, ignoreOrigin, cmp.Comparer(func(a, b config.Secret) bool { return a.Reveal() == b.Reveal() })); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The file that users copy means what the program does without a file.
func TestDefaultFile(t *testing.T) {
	t.Parallel()
	c, err := parse(t, string(cdphost.DefaultConfig))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(config.Defaults(), c, ignoreOrigin); diff != "" {
		t.Errorf("-defaults +file:\n%s", diff)
	}
	if changes := config.Diff(config.Defaults(), c); len(changes) > 0 {
		t.Errorf("changes: %v", changes)
	}
}

// Every key of the code is in config.yaml with a comment of its own, at the least
// as an example in one.
func TestDefaultFileIsComplete(t *testing.T) {
	t.Parallel()
	var doc yaml.Node
	if err := yaml.Unmarshal(cdphost.DefaultConfig, &doc); err != nil {
		t.Fatal(err)
	}
	commented := map[string]bool{}
	collect(doc.Content[0], "", commented)
	for _, k := range config.Keys() {
		section, entry, isEntry := strings.Cut(k.Path, ".<name>.")
		if isEntry {
			last := entry[strings.LastIndex(entry, ".")+1:]
			if !strings.Contains(string(cdphost.DefaultConfig), last+":") && !strings.Contains(string(cdphost.DefaultConfig), last+" ") {
				t.Errorf("config.yaml does not show %s of %s", entry, section)
			}
			continue
		}
		got, present := commented[k.Path]
		switch {
		case !present:
			t.Errorf("config.yaml lacks %s", k.Path)
		case !got && k.Path != "log" && k.Path != "browser" && k.Path != "subagent.model":
			t.Errorf("config.yaml has no comment on %s", k.Path)
		}
	}
}

func collect(n *yaml.Node, path string, commented map[string]bool) {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		at := strings.TrimPrefix(path+"."+key.Value, ".")
		commented[at] = key.HeadComment+key.LineComment+value.HeadComment+value.LineComment != ""
		collect(value, at, commented)
	}
}
