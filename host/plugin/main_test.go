//go:build unix

package plugin_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// TestMain turns this binary into a plugin when the tests start it as one.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "host-under-test" {
		hostUnderTest()
	}
	if len(os.Args) > 2 && os.Args[1] == "plugin-under-test" {
		serveUnderTest(os.Args[2])
		os.Exit(0)
	}
	// Without it a process of a race-enabled binary takes a second to exit.
	_ = os.Setenv("GORACE", "atexit_sleep_ms=0")
	goleak.VerifyTestMain(m)
}
