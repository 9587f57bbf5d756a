package endpoint

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// The test binary plays other processes too: a browser that behaves in a way
// that real ones seldom do, and a host that is about to be killed.
const (
	fakeBrowserFlag = "--fake-browser="
	fakeHostEnv     = "CDPHOST_TEST_HOST"
)

func TestMain(m *testing.M) {
	for _, arg := range os.Args {
		if mode, ok := strings.CutPrefix(arg, fakeBrowserFlag); ok {
			fakeBrowser(mode)
		}
	}
	if mode := os.Getenv(fakeHostEnv); mode != "" {
		fakeHost(mode)
	}
	goleak.VerifyTestMain(m)
}

const fakePath = "/devtools/browser/0b5e8f6e-8f6e-4d5c-9d5c-0123456789ab"

func fakeBrowser(mode string) {
	profile := ""
	for _, arg := range os.Args {
		if v, ok := strings.CutPrefix(arg, "--user-data-dir="); ok {
			profile = v
		}
	}
	switch mode {
	case "exit":
		fmt.Fprintln(os.Stderr, "starting")
		fmt.Fprintln(os.Stderr, "Missing X server or $DISPLAY for http://user:hunter22@proxy.test:8080/")
		os.Exit(3)
	case "silent":
	case "file":
		port := filepath.Join(profile, activePortFile)
		_ = os.WriteFile(port, []byte("45678\n"+fakePath), 0o600)
	case "stubborn":
		signal.Ignore(syscall.SIGTERM)
		fmt.Fprintln(os.Stderr, "DevTools listening on ws://127.0.0.1:45678"+fakePath)
	case "crash":
		// Heard from before anybody can know that this process is there.
		crash := make(chan os.Signal, 1)
		signal.Notify(crash, syscall.SIGTERM)
		fmt.Fprintln(os.Stderr, "DevTools listening on ws://127.0.0.1:45678"+fakePath)
		child := exec.Command(os.Args[0], fakeBrowserFlag+"silent", "--user-data-dir="+profile)
		if child.Start() == nil {
			<-crash
		}
		fmt.Fprintln(os.Stderr, "Received signal 11 SEGV_MAPERR")
		os.Exit(139)
	}
	time.Sleep(time.Hour)
}

// hostReport is what a fake host says before it waits to be killed.
type hostReport struct {
	PID     int    `json:"pid"`     // of the browser
	Leader  int    `json:"leader"`  // of its group
	Profile string `json:"profile"` // of the browser, or of the claimed folder
	Error   string `json:"error"`
}

func fakeHost(base string) {
	var report hostReport
	p, err := Launch(context.Background(), LaunchOptions{Headless: true, BaseDir: base})
	if err != nil {
		report.Error = err.Error()
	} else {
		report = hostReport{PID: p.PID(), Leader: p.group.leaderPID(), Profile: p.Profile()}
	}
	_ = json.NewEncoder(os.Stdout).Encode(report)
	time.Sleep(time.Hour)
}

// eventually fails the test when the condition does not come true in 20 s.
func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !condition(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never came true: %s", what)
		}
	}
}

func mustParse(t *testing.T, s string) URL {
	t.Helper()
	u, err := ParseURL(s)
	if err != nil {
		t.Fatalf("ParseURL: %v", err)
	}
	return u
}
