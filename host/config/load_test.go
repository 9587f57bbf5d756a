package config_test

import (
	"path/filepath"
	"testing"

	"cdphost/host/config"
)

func TestFind(t *testing.T) {
	t.Parallel()
	work, user := t.TempDir(), t.TempDir()
	l := config.Loader{LookupEnv: env(), WorkDir: work, UserDir: user}
	inUser := filepath.Join(user, "cdphost", "config.yaml")
	load := func(file, wantFile, wantLevel string) {
		t.Helper()
		c, err := l.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		if c.File() != wantFile || string(c.Log.Level) != wantLevel {
			t.Errorf("file %q, level %s", c.File(), c.Log.Level)
		}
	}
	load("", "", "info")
	write(t, inUser, "log: {level: warn}")
	load("", inUser, "warn")
	write(t, filepath.Join(work, "config.yaml"), "log: {level: debug}")
	load("", "config.yaml", "debug")
	write(t, filepath.Join(work, "other.yaml"), "log: {level: error}")
	load("other.yaml", "other.yaml", "error")
}

func TestPathsAreRelativeToTheFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "etc", "config.yaml")
	write(t, file, `
browser: {executable: chromium, upload_root: up}
plugins: {a: {path: ./bin/a}, b: {path: b}, c: {path: `+filepath.Join(dir, "c")+`}}
`)
	c, err := config.Loader{LookupEnv: env(), WorkDir: dir}.Load(filepath.Join("etc", "config.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	etc := filepath.Join(dir, "etc")
	for got, want := range map[string]string{
		c.Browser.Executable: "chromium", c.Browser.UploadRoot: filepath.Join(etc, "up"),
		c.Plugins["a"].Path: filepath.Join(etc, "bin", "a"), c.Plugins["b"].Path: filepath.Join(etc, "b"),
		c.Plugins["c"].Path: filepath.Join(dir, "c"),
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestPosition(t *testing.T) {
	t.Parallel()
	c := mustParse(t, "toolsets:\n  core:\n    tools: [browser, task]\n")
	tests := []struct{ path, want string }{
		{"toolsets.core.tools[1]", "config.yaml:3:22"},
		{"toolsets.core.tools[7]", "config.yaml:3:12"},
		{"toolsets.core.token", "config.yaml:3:5"},
		{"nothing.at.all", "config.yaml"},
		{"gates.task", config.Defaults().Position("gates.task").String()},
	}
	for _, tt := range tests {
		if got := c.Position(tt.path).String(); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.path, got, tt.want)
		}
	}
	if p := c.Position("gates.task"); p.File != config.BuiltinName || !p.IsValid() {
		t.Errorf("gates.task: %v", p)
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	a, b := mustParse(t, "log: {level: warn}"), mustParse(t, "log: {level: warn} ")
	if a.Version() == b.Version() || a.Version() != mustParse(t, "log: {level: warn}").Version() {
		t.Errorf("versions %s, %s", a.Version(), b.Version())
	}
	if v := config.Defaults().Version(); v != "built-in" {
		t.Errorf("version %s", v)
	}
}
