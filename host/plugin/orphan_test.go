//go:build unix

package plugin_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"cdphost/host/dialog"
	"cdphost/host/plugin"
)

// hostUnderTest runs a plugin that starts a stray, prints the ids of both
// processes and waits to be killed.
func hostUnderTest() {
	m, err := plugin.New(plugin.Options{SelfArgs: []string{"plugin-under-test"}})
	if err == nil {
		err = m.Apply(context.Background(), []plugin.Spec{spec("p", "good")})
	}
	var v dialog.Verdict
	if err == nil {
		v, err = m.Policy("test").Decide(context.Background(), request("stray"))
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(m.Status()[0].PID, *v.Text)
	select {}
}

// killedHost runs a host with one plugin until it is killed, and returns the plugin
// and the stray of that plugin.
func killedHost(t *testing.T) (pid, stray int) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	host := exec.Command(self, "host-under-test")
	out, err := host.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if _, scanErr := fmt.Sscan(line, &pid, &stray); err != nil || scanErr != nil || !processLives(pid) || !processLives(stray) {
		t.Errorf("the host said %q: %v", line, err)
	}
	if err := host.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = host.Wait()
	return pid, stray
}

func TestNoOrphansWhenTheHostIsKilled(t *testing.T) {
	t.Parallel()
	pid, stray := killedHost(t)
	t.Cleanup(func() { _ = syscall.Kill(stray, syscall.SIGKILL) })
	eventually(t, "the plugin is gone", func() bool { return !processLives(pid) })
}
