//go:build unix

package plugin_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"cdphost/host/plugin"
	"cdphost/sdk/fault"
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
	printed := bufio.NewReader(out)
	address := func() *plugin.Reattach {
		line, err := printed.ReadBytes('\n')
		if err != nil {
			t.Fatal(err)
		}
		where := &plugin.Reattach{}
		if err := json.Unmarshal(line, where); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		return where
	}
	where := address()
	join := func() *plugin.Manager {
		m := newManager(t, func(o *plugin.Options) { o.Host = newFakeHost() })
		apply(t, m, plugin.Spec{Name: "p", Reattach: where})
		if pid, _ := mustDecide(t, m, ""); pid != cmd.Process.Pid {
			t.Errorf("process %d decided", pid)
		}
		if _, err := callTool(t, m, "cdp", map[string]any{"method": "Test.ok"}); err != nil {
			t.Error(err)
		}
		return m
	}
	for range 3 {
		m := join()
		second := newManager(t)
		err := second.Apply(t.Context(), []plugin.Spec{{Name: "p", Reattach: where}})
		wantCode(t, err, fault.PluginUnavailable)
		if want := "under-test is configured already, and serves one host at a time"; !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
		changed := plugin.Spec{Name: "p", Reattach: where, Config: json.RawMessage(`{"verdict":"accept"}`)}
		wantCode(t, m.Apply(t.Context(), []plugin.Spec{changed}), fault.PluginUnavailable)
		mustDecide(t, m, "")
		if _, err := callTool(t, m, "cdp", map[string]any{"method": "Test.ok"}); err != nil {
			t.Error(err)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
		// It is ready for the next, at the same place.
		if again := address(); *again != *where {
			t.Errorf("it is at %+v now, was at %+v", again, where)
		}
	}
	// With one host: go back to its own process, and join again.
	m := join()
	apply(t, m, spec("p", "good"))
	if pid, _ := mustDecide(t, m, ""); pid == cmd.Process.Pid {
		t.Error("the debugged process decided")
	}
	address()
	apply(t, m, plugin.Spec{Name: "p", Reattach: where})
	if pid, _ := mustDecide(t, m, ""); pid != cmd.Process.Pid {
		t.Errorf("process %d decided", pid)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	address()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(where.Address); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its socket is left behind: %v", err)
	}
}

func TestNothingToJoin(t *testing.T) {
	t.Parallel()
	m := newManager(t)
	err := m.Apply(t.Context(), []plugin.Spec{{Name: "p", Reattach: &plugin.Reattach{Network: "unix", Address: "/nonexistent/socket", PID: os.Getpid()}}})
	wantCode(t, err, fault.PluginUnavailable)
	want := "plugin p: nothing listens at /nonexistent/socket; take the address that the plugin under your debugger prints"
	if f, ok := errors.AsType[*fault.Error](err); !ok || f.Message != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
