// Package bridge holds the end-to-end tests of the dialog bridges: a real
// browser, the plugins as real processes, and the host's own parts between them.
package bridge

import (
	"context"
	"os"
	"testing"

	"github.com/hashicorp/go-hclog"
	"go.uber.org/goleak"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/supervisor"
	browserbasebridge "cdphost/plugins/bridge-browserbase"
	debuggerbridge "cdphost/plugins/bridge-debugger"
)

// plugins are what this binary serves when it is started as a plugin.
var plugins = map[string]func(){
	"bridge-browserbase": browserbasebridge.Serve,
	"bridge-debugger":    debuggerbridge.Serve,
}

// registry is shared by the tests on the shared browser, so that they share one
// root-attached link, as the tasks of a host do.
var registry = supervisor.NewRegistry(supervisor.Options{Logger: logger()})

func logger() hclog.Logger {
	if os.Getenv("BRIDGE_LOG") == "" {
		return hclog.NewNullLogger()
	}
	return hclog.New(&hclog.LoggerOptions{Level: hclog.Trace, Output: os.Stderr})
}

type tests struct{ cdptest.Tests }

func (t tests) Run() int {
	code := t.Tests.Run()
	registry.StopAll(context.Background())
	return code
}

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "serve-plugin" {
		plugins[os.Args[2]]()
		os.Exit(0)
	}
	// Without it a process of a race-enabled binary takes a second to exit.
	_ = os.Setenv("GORACE", "atexit_sleep_ms=0")
	goleak.VerifyTestMain(cdptest.Main(tests{m}))
}
