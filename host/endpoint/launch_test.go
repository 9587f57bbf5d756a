package endpoint

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"cdphost/host/cdp"
	"cdphost/sdk/fault"
)

// launch starts a real browser with a base folder of its own.
func launch(t *testing.T, o LaunchOptions) *Process {
	t.Helper()
	o.Headless = true
	if o.BaseDir == "" {
		o.BaseDir = t.TempDir()
	}
	p, err := Launch(t.Context(), o)
	if err != nil {
		t.Fatalf("these tests need a browser: %v", err)
	}
	t.Cleanup(func() { _ = p.Close(context.Background()) })
	return p
}

func fake(t *testing.T, mode string) LaunchOptions {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return LaunchOptions{Executable: self, Args: []string{fakeBrowserFlag + mode}, BaseDir: t.TempDir()}
}

// emptyFolder reports whether nothing is left in a base folder.
func emptyFolder(t *testing.T, folder string) bool {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	return len(entries) == 0
}

func TestLaunchResolveDial(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	p := launch(t, LaunchOptions{BaseDir: base})
	if info, err := os.Stat(p.Profile()); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("profile: %v, %v", info, err)
	}
	host := p.URL().Host()
	port := p.URL().parts().Port()
	for _, in := range []string{"http://" + host, host, port, "ws://" + host, "localhost:" + port, p.URL().Reveal()} {
		u, info, err := Resolve(t.Context(), mustParse(t, in), ResolveOptions{})
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		if u.parts().Path != p.URL().parts().Path || info.Via == ViaVersion && !strings.HasPrefix(info.Browser, "Chrome/") {
			t.Errorf("%s: got %v %+v", in, u, info)
		}
		getVersion(t, u)
	}
	if err := p.Err(); err != nil {
		t.Errorf("Err of a running browser: %v", err)
	}
	if err := p.Close(t.Context()); err != nil {
		t.Errorf("Close: %v", err)
	}
	if err := p.Close(t.Context()); err != nil || p.Err() != nil {
		t.Errorf("second Close: %v, Err: %v", err, p.Err())
	}
	if !emptyFolder(t, base) {
		t.Error("the profile is left")
	}
	_, err := Dial(t.Context(), p.URL(), DialOptions{})
	checkSentence(t, err, fault.EndpointUnreachable, host, "connection refused")
}

func getVersion(t *testing.T, u URL) {
	t.Helper()
	transport, err := Dial(t.Context(), u, DialOptions{})
	if err != nil {
		t.Errorf("Dial: %v", err)
		return
	}
	c := cdp.NewConn(transport, cdp.Options{})
	defer func() { _ = c.Close() }()
	if _, err := c.Call(t.Context(), cdp.Command{Method: "Browser.getVersion"}); err != nil {
		t.Errorf("Browser.getVersion: %v", err)
	}
}

func TestDialAnotherBrowsersPath(t *testing.T) {
	t.Parallel()
	p := launch(t, LaunchOptions{})
	u := mustParse(t, "ws://"+p.URL().Host()+"/devtools/browser/00000000-0000-4000-8000-000000000000?t=sesame")
	_, err := Dial(t.Context(), u, DialOptions{})
	checkSentence(t, err, fault.EndpointNotCDP, p.URL().Host(), "restarted")
}

func TestLaunchKeptProfile(t *testing.T) {
	t.Parallel()
	profile := filepath.Join(t.TempDir(), "kept")
	if err := os.Mkdir(profile, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(profile, activePortFile), "1\n/devtools/browser/of-an-earlier-run")
	p := launch(t, LaunchOptions{Profile: profile})
	getVersion(t, p.URL())
	if err := p.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(profile, "Local State")); err != nil {
		t.Errorf("the profile was not kept: %v", err)
	}
}

func TestLaunchReadsActivePort(t *testing.T) {
	t.Parallel()
	p, err := Launch(t.Context(), fake(t, "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.Close(context.Background()) }()
	if want := "ws://127.0.0.1:45678" + fakePath; p.URL().Reveal() != want || !p.URL().IsDirect() {
		t.Errorf("got %q", p.URL().Reveal())
	}
}

func TestLaunchFailures(t *testing.T) {
	t.Parallel()
	soon := func(t *testing.T) context.Context {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		t.Cleanup(cancel)
		return ctx
	}
	cancelled := func(t *testing.T) context.Context {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		return ctx
	}
	for _, tc := range []struct {
		name, mode string
		ctx        func(*testing.T) context.Context
		code       fault.Code
		says       []string
	}{
		{"ends at once", "exit", (*testing.T).Context, fault.BrowserGone, []string{"exit status 3", "starting | Missing X server", "http://***@proxy.test:8080/"}},
		{"never listens", "silent", soon, fault.Timeout, []string{"opened no debugging port in time", "wrote nothing to stderr"}},
		{"cancelled", "silent", cancelled, fault.Aborted, []string{"cancelled"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			o := fake(t, tc.mode)
			p, err := Launch(tc.ctx(t), o)
			if p != nil || fault.CodeOf(err) != tc.code {
				t.Fatalf("got %v, %v", p, err)
			}
			for _, says := range tc.says {
				if !strings.Contains(err.Error(), says) {
					t.Errorf("%q is not in: %v", says, err)
				}
			}
			if strings.Contains(fmt.Sprintf("%+v", err), "hunter22") {
				t.Errorf("shows a password: %v", err)
			}
			if !emptyFolder(t, o.BaseDir) {
				t.Error("the profile is left")
			}
		})
	}
}

func TestLaunchNotExecutable(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	broken := filepath.Join(t.TempDir(), "broken")
	if err := os.WriteFile(broken, []byte("not a program"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{broken, filepath.Join(base, "nope")} {
		p, err := Launch(t.Context(), LaunchOptions{Executable: path, BaseDir: base})
		if p != nil || !errors.Is(err, fault.BrowserMissing) || !strings.Contains(err.Error(), "browser.executable") {
			t.Errorf("got %v, %v", p, err)
		}
	}
	if !emptyFolder(t, base) {
		t.Error("the profile is left")
	}
}

func TestCloseKillsAStubbornBrowser(t *testing.T) {
	t.Parallel()
	o := fake(t, "stubborn")
	p, err := Launch(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Close(ctx); err != nil {
		t.Error(err)
	}
	select {
	case <-p.Done():
	default:
		t.Error("Close returned before the browser ended")
	}
	if p.Err() != nil || !emptyFolder(t, o.BaseDir) {
		t.Errorf("Err: %v", p.Err())
	}
}

func TestConcurrentClose(t *testing.T) {
	t.Parallel()
	p, err := Launch(t.Context(), fake(t, "file"))
	if err != nil {
		t.Fatal(err)
	}
	results := make(chan error, 8)
	for range cap(results) {
		go func() { results <- p.Close(t.Context()) }()
	}
	for range cap(results) {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
}
