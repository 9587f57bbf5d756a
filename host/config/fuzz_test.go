package config_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"cdphost"
	"cdphost/host/config"
)

// Whatever the text, Parse returns, with a Config or with mistakes that stand
// inside the text; and a Config that it returns is usable in every part.
func FuzzParse(f *testing.F) {
	f.Add(cdphost.DefaultConfig)
	files, err := filepath.Glob(filepath.Join("testdata", "errors", "*.yaml"))
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("a: &a {<<: [*a, *a]}\n? *a\n: *a"))
	f.Add([]byte("plugins: {x: &x {path: a, config: &c {<<: *c, y: [*x, ${A}, $${, \"\\x00\"]}}}"))
	f.Add([]byte("plugins: {dialog: {config: {a: 0o17, b: 0b11, c: 1_000, d: -.inf, e: 1e400, f: !!int x, g: !!str 1}}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l := config.Loader{LookupEnv: env("A", "1"), WorkDir: "/nowhere"}
		c, err := l.Parse("config.yaml", data)
		if err != nil {
			if c != nil {
				t.Fatal("a Config beside an error")
			}
			checkRange(t, data, err)
			return
		}
		for name, p := range c.Plugins {
			if p.Name != name || !json.Valid(p.Config.JSON()) {
				t.Fatalf("plugin %q: %s", name, p.Config.JSON())
			}
		}
		if _, err := json.Marshal(c); err != nil {
			t.Fatal(err)
		}
		if changes := config.Diff(c, c); len(changes) > 0 {
			t.Fatalf("differs from itself: %v", changes)
		}
		config.Diff(config.Defaults(), c)
		var list config.ErrorList
		if err := c.CheckNames(nil, nil, nil); err != nil && !errors.As(err, &list) {
			t.Fatal(err)
		}
	})
}

// Any path has a place, and walking one never fails.
func FuzzPosition(f *testing.F) {
	for _, path := range []string{"rules[0].do", "a.b.c[1]", "..", "[", "]", "[0]", "rules[-1]", "rules.", ".rules"} {
		f.Add(path)
	}
	c, err := config.Loader{LookupEnv: env()}.Parse("config.yaml", []byte(treeText))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, path string) {
		p := c.Plugins["dialog"].Config.Position(path)
		if p.File != "config.yaml" || p.Line < 4 || p.Line > 9 {
			t.Errorf("%q: %v", path, p)
		}
		if got := c.Position(path); got.File == "" {
			t.Errorf("%q: %v", path, got)
		}
	})
}
