package cdptest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
)

// shared is the one browser of a test binary.
var shared struct {
	mu      sync.Mutex
	browser *Browser
	closed  bool
}

// SharedChrome returns the browser that all tests of a package share; the first call launches it. It
// lives until the end of [Main], which the package's TestMain must use. Tests that end or crash the
// browser need one of their own, see [Chrome].
func SharedChrome(tb TB) *Browser {
	tb.Helper()
	b, err := sharedChrome()
	if err != nil {
		tb.Fatalf("cdptest: %v", err)
	}
	return b
}

func sharedChrome() (*Browser, error) {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if shared.closed {
		return nil, errors.New("shared browser is closed already")
	}
	if shared.browser != nil {
		return shared.browser, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), chromeStart)
	defer cancel()
	b, err := StartChrome(ctx)
	if err != nil {
		return nil, err
	}
	shared.browser = b
	return b, nil
}

// closeShared ends the shared browser, if there is one.
func closeShared() error {
	shared.mu.Lock()
	b := shared.browser
	shared.browser, shared.closed = nil, true
	shared.mu.Unlock()
	if b == nil {
		return nil
	}
	return b.Close()
}

// Tests is what runs the tests of a package: *testing.M.
type Tests interface{ Run() int }

// Main wraps the tests of a package so that the shared browser is ended after them and before any
// check for leaks: goleak.VerifyTestMain(cdptest.Main(m)).
func Main(m Tests) Tests { return testMain{m} }

type testMain struct{ tests Tests }

// Run implements Tests.
func (m testMain) Run() int {
	code := m.tests.Run()
	if err := closeShared(); err != nil {
		fmt.Fprintln(os.Stderr, "cdptest: close shared browser:", err)
		return max(code, 1)
	}
	return code
}
