package cdptest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// chromeStart bounds a launch: a cold start on a loaded two-core machine takes up to ten seconds.
const chromeStart = 60 * time.Second

// Browser is a running Chromium with a profile of its own.
type Browser struct {
	WSURL   string // ws://127.0.0.1:PORT/devtools/browser/ID
	PID     int    // leader of the browser's process group
	Profile string // user data directory; gone after Close

	stderr *stderrLog
	done   chan struct{} // closed when the browser's main process has been reaped
	kill   func() error  // ends the process group
}

// Chrome launches a browser for one test, see [StartChrome], and closes it in tb's Cleanup. Without a
// browser the test fails.
func Chrome(tb TB, flags ...string) *Browser {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), chromeStart)
	defer cancel()
	b, err := StartChrome(ctx, flags...)
	if err != nil {
		tb.Fatalf("cdptest: %v", err)
	}
	tb.Cleanup(func() {
		if err := b.Close(); err != nil {
			tb.Errorf("cdptest: close browser: %v", err)
		}
	})
	return b
}

// StartChrome launches a headless browser with site isolation on, all hosts under .test resolved to
// 127.0.0.1, and flags added, and waits until it listens. The context bounds the start only. The
// caller must Close the browser.
func StartChrome(ctx context.Context, flags ...string) (*Browser, error) {
	path, err := FindChrome()
	if err != nil {
		return nil, err
	}
	profile, err := os.MkdirTemp("", "cdptest-profile-")
	if err != nil {
		return nil, err
	}
	b := &Browser{
		Profile: profile,
		stderr:  newStderrLog(),
		done:    make(chan struct{}),
	}
	cmd := exec.Command(path, append(chromeFlags(profile), flags...)...)
	cmd.Stderr = b.stderr
	cmd.WaitDelay = 5 * time.Second // a stray child that keeps stderr open must not hold up Wait
	setProcessGroup(cmd)
	if err := b.start(cmd); err != nil {
		return nil, errors.Join(fmt.Errorf("start %s: %w", path, err), os.RemoveAll(profile))
	}
	select {
	case b.WSURL = <-b.stderr.url:
		return b, nil
	case <-b.done:
		err = errors.New("browser ended during its start")
	case <-ctx.Done():
		err = fmt.Errorf("browser did not listen in time: %w", ctx.Err())
	}
	return nil, errors.Join(fmt.Errorf("%s: %w; it said: %s", path, err, b.stderr.Tail()), b.Close())
}

// start runs cmd on a thread of its own, because the parent-death signal of Linux is bound to the
// thread that forked, and reaps it.
func (b *Browser) start(cmd *exec.Cmd) error {
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := cmd.Start(); err != nil {
			started <- err
			close(b.done)
			return
		}
		b.PID = cmd.Process.Pid
		b.kill = func() error { return killGroup(cmd.Process) }
		started <- nil
		_ = cmd.Wait() // its exit status says nothing: it is always ended by a signal
		close(b.done)
	}()
	return <-started
}

// Done is closed when the browser has ended, by itself or by Close.
func (b *Browser) Done() <-chan struct{} { return b.done }

// Stderr returns the last lines that the browser wrote to its standard error.
func (b *Browser) Stderr() string { return b.stderr.Tail() }

// HTTPURL returns http://127.0.0.1:PORT, where /json/version is.
func (b *Browser) HTTPURL() string {
	host, _, _ := strings.Cut(strings.TrimPrefix(b.WSURL, "ws://"), "/")
	return "http://" + host
}

// Kill ends the browser as a crash would, and waits for it. The profile stays until Close.
func (b *Browser) Kill() error {
	err := b.kill()
	<-b.done
	return err
}

// Close ends the whole process group, waits for it and removes the profile. It may be called twice.
func (b *Browser) Close() error {
	return errors.Join(b.Kill(), removeProfile(b.Profile))
}

// removeProfile removes a profile that children which are just dying may still write to.
func removeProfile(dir string) error {
	var err error
	for range 50 {
		if err = os.RemoveAll(dir); err == nil {
			return nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return err
}

// The browser's own address bar loads two documents for each window, which nobody
// sees, and a process for the next site is started in advance. Tests open many
// windows and pages, so both are off; SpareProcess is the flag that leaves the
// second on, for tests of races that it makes closer. Chromium takes the last
// --disable-features only.
const (
	SpareProcess = "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup"
	noSpare      = SpareProcess + ",SpareRendererForSitePerProcess"
)

func chromeFlags(profile string) []string {
	flags := []string{
		"--headless",
		"--disable-gpu",
		"--disable-quic",
		"--no-first-run",
		"--no-default-browser-check",
		"--disable-background-networking",
		"--disable-component-update",
		"--disable-sync",
		"--remote-debugging-port=0",
		"--user-data-dir=" + profile,
		"--site-per-process",
		"--host-resolver-rules=MAP *.test 127.0.0.1",
		noSpare,
	}
	if os.Geteuid() == 0 {
		flags = append(flags, "--no-sandbox")
	}
	return flags
}
