//go:build unix

package endpoint

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"cdphost/sdk/fault"
)

// A browser that crashes is told with its last words; its children and its
// profile go without a call.
func TestCrash(t *testing.T) {
	t.Parallel()
	o := fake(t, "crash")
	p, err := Launch(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the browser has its child", func() bool {
		pids, err := processesOf(p.Profile())
		return err == nil && len(pids) == 2
	})
	if err := syscall.Kill(p.PID(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-p.Done()
	if err := p.Err(); !errors.Is(err, fault.BrowserGone) || !strings.Contains(err.Error(), "exit status 139") || !strings.Contains(err.Error(), "signal 11") {
		t.Errorf("Err: %v", err)
	}
	<-p.finished
	eventually(t, "the child is gone", func() bool {
		pids, err := processesOf(p.Profile())
		return err == nil && len(pids) == 0
	})
	if !emptyFolder(t, o.BaseDir) {
		t.Error("the profile is left")
	}
	if err := p.Close(context.Background()); err != nil || p.Err() == nil {
		t.Errorf("Close: %v; Err after Close: %v", err, p.Err())
	}
}

// The leader alone, without the kernel's parent-death signal, ends the group
// when its pipe closes.
func TestGroupEndsWithItsPipe(t *testing.T) {
	t.Parallel()
	g, err := newGroup()
	if err != nil {
		t.Fatal(err)
	}
	defer g.kill()
	cmd := exec.Command("/bin/sleep", "1000")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: g.leaderPID()}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = g.hold.Close()
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.String() != "signal: killed" {
		t.Errorf("got %v", err)
	}
}
