// Package plugins holds the end-to-end tests of third-party plugins: the built
// cdphost, the examples as real processes, a real browser, a real MCP client.
package plugins

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"go.uber.org/goleak"

	"cdphost/host/cdp/cdptest"
)

// bin is where the programs under test are.
var bin string

// program returns the path of a built one.
func program(name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(bin, name)
}

var examples = []string{"origin-guard", "quiet-hours", "page-title-tool", "audit"}

// build builds cdphost, and each example from outside the workspace, as its author
// would.
func build() error {
	dir, err := os.MkdirTemp("", "cdphost-e2e-")
	if err != nil {
		return err
	}
	bin = dir
	if err := goBuild("../..", "", "cdphost", "./host/cmd/cdphost"); err != nil {
		return err
	}
	for _, name := range examples {
		if err := goBuild("../../examples/"+name, "off", name, "."); err != nil {
			return err
		}
	}
	return nil
}

func goBuild(dir, work, name, what string) error {
	cmd := exec.Command("go", "build", "-o", program(name), what)
	cmd.Dir = dir
	if cmd.Env = os.Environ(); work != "" {
		cmd.Env = append(cmd.Env, "GOWORK="+work)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build %s: %w\n%s", name, err, out)
	}
	return nil
}

type tests struct{ *testing.M }

func (t tests) Run() int {
	defer func() { _ = os.RemoveAll(bin) }()
	if err := build(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	chrome, err := cdptest.FindChrome()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	_ = os.Setenv("CHROME_PATH", chrome)
	return t.M.Run()
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(tests{m}) }
