// Package frames holds the end-to-end tests of frames: a real browser with site
// isolation, the router as a real process, an MCP client, and a second CDP client
// that looks at the same page by itself.
package frames

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/hashicorp/go-hclog"
	"go.uber.org/goleak"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/supervisor"
	"cdphost/plugins/frames"
)

// registry is shared by the tests on the shared browser, so that they share one
// root-attached link, as the tasks of a host do.
var registry = supervisor.NewRegistry(supervisor.Options{Logger: logger()})

func logger() hclog.Logger {
	if os.Getenv("FRAMES_LOG") == "" {
		return hclog.NewNullLogger()
	}
	return hclog.New(&hclog.LoggerOptions{Level: hclog.Trace, Output: os.Stderr})
}

type tests struct{ cdptest.Tests }

func (t tests) Run() int {
	code := t.Tests.Run()
	if err := closeShared(); err != nil {
		fmt.Fprintln(os.Stderr, "frames: close the shared hosts:", err)
		code = max(code, 1)
	}
	registry.StopAll(context.Background())
	return code
}

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "serve-plugin" {
		frames.Serve()
		os.Exit(0)
	}
	// Without it a process of a race-enabled binary takes a second to exit.
	_ = os.Setenv("GORACE", "atexit_sleep_ms=0")
	goleak.VerifyTestMain(cdptest.Main(tests{m}))
}
