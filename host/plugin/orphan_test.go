//go:build unix

package plugin_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"cdphost/host/plugin"
)

// hostUnderTest runs a plugin, prints its process id and waits to be killed.
func hostUnderTest() {
	m, err := plugin.New(plugin.Options{SelfArgs: []string{"plugin-under-test"}})
	if err == nil {
		err = m.Apply(context.Background(), []plugin.Spec{spec("p", "good")})
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(m.Status()[0].PID)
	select {}
}

func TestNoOrphansWhenTheHostIsKilled(t *testing.T) {
	t.Parallel()
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
	pid, convErr := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || convErr != nil || !processLives(pid) {
		t.Errorf("the host said %q: %v", line, err)
	}
	if err := host.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = host.Wait()
	eventually(t, "the plugin is gone", func() bool { return !processLives(pid) })
}
