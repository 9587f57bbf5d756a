//go:build unix

package plugin_test

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"testing"

	"cdphost/host/plugin"
)

func TestPluginUnderADebuggerIsJoined(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "plugin-under-test", "good")
	cmd.Env = append(os.Environ(), "CDPHOST_PLUGIN_DEBUG=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	where := &plugin.Reattach{}
	if err := json.Unmarshal(line, where); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	m := newManager(t, func(o *plugin.Options) { o.Host = newFakeHost() })
	apply(t, m, plugin.Spec{Name: "p", Reattach: where})
	if pid, _ := mustDecide(t, m, ""); pid != cmd.Process.Pid {
		t.Errorf("process %d decided", pid)
	}
	if _, err := callTool(t, m, "cdp", map[string]any{"method": "Test.ok"}); err != nil {
		t.Error(err)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	if !processLives(cmd.Process.Pid) {
		t.Error("the host ended a plugin that it did not start")
	}
}
