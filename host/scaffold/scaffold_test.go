package scaffold_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cdphost/host/scaffold"
	"cdphost/sdk/fault"
)

const sdk = "../../sdk"

// build has the module in dir tested and built by itself.
func build(t *testing.T, dir string) {
	t.Helper()
	for _, args := range [][]string{{"vet", "./..."}, {"test", "./..."}, {"build", "-o", "plugin", "."}} {
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

func TestEveryHookBuildsAndPassesItsTests(t *testing.T) {
	t.Parallel()
	for _, hook := range scaffold.Hooks() {
		t.Run(hook, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "a new", "folder")
			if err := scaffold.Write(scaffold.Options{Name: "my-" + hook, Hook: hook, Dir: dir, SDK: sdk, Source: os.DirFS(sdk)}); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"main.go", "plugin.go", "plugin_test.go"} {
				out, err := exec.CommandContext(t.Context(), "gofmt", "-l", filepath.Join(dir, name)).Output()
				if err != nil || len(out) > 0 {
					t.Errorf("gofmt would change %s (%v)", out, err)
				}
			}
			build(t, dir)
		})
	}
}

func TestTheSourceOfTheSDKComesAlong(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := scaffold.Write(scaffold.Options{Name: "alone", Hook: "command-guard", Dir: dir, Source: os.DirFS(sdk)}); err != nil {
		t.Fatal(err)
	}
	build(t, dir)
}

func TestWhatIsRefused(t *testing.T) {
	t.Parallel()
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "kept"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	good := scaffold.Options{Name: "my-guard", Hook: "command-guard", Source: os.DirFS(sdk), Reserved: []string{"dialog"}}
	for name, tc := range map[string]struct {
		change func(*scaffold.Options)
		want   string
	}{
		"no name":         {func(o *scaffold.Options) { o.Name = "" }, `"" is no name for a plugin`},
		"capitals":        {func(o *scaffold.Options) { o.Name = "MyGuard" }, `"MyGuard" is no name for a plugin: use words of a-z`},
		"a way out":       {func(o *scaffold.Options) { o.Name = "../x" }, `"../x" is no name for a plugin`},
		"a long name":     {func(o *scaffold.Options) { o.Name = strings.Repeat("x", 41) }, "at most 40 characters"},
		"a built-in name": {func(o *scaffold.Options) { o.Name = "dialog" }, `"dialog" is the name of a built-in plugin`},
		"no hook":         {func(o *scaffold.Options) { o.Hook = "guard" }, `there is no hook "guard"; there are: command-guard, dialog-bridge, dialog-policy, event-subscriber, frame-router, tool-provider`},
		"a full folder":   {func(o *scaffold.Options) { o.Dir = full }, "is not empty"},
		"a file":          {func(o *scaffold.Options) { o.Dir = filepath.Join(full, "kept") }, "can't be used"},
		"no SDK":          {func(o *scaffold.Options) { o.SDK = full }, "is no folder of the SDK"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := good
			o.Dir = filepath.Join(t.TempDir(), "new")
			tc.change(&o)
			err := scaffold.Write(o)
			if !errors.Is(err, fault.InvalidArgument) || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %s", err, tc.want)
			}
			if _, err := os.Stat(o.Dir); o.Dir != full && !strings.HasPrefix(o.Dir, full) && err == nil {
				t.Error("something was written")
			}
		})
	}
}
