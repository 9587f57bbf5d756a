package plugin_test

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"cdphost/host/plugin"
)

// stray has the plugin "bad" start a process that leaves its group and session.
func stray(t *testing.T, m *plugin.Manager) int {
	t.Helper()
	v, err := decide(t, m, "stray")
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(*v.Text)
	if err != nil || !processLives(pid) {
		t.Fatalf("stray %s: %v", *v.Text, err)
	}
	t.Cleanup(func() {
		if processLives(pid) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	return pid
}

func TestStraysEndWithTheirPlugin(t *testing.T) {
	t.Parallel()
	signal := func(sig syscall.Signal) func(*testing.T, *plugin.Manager) {
		return func(t *testing.T, m *plugin.Manager) {
			if err := syscall.Kill(statusOf(t, m, "bad").PID, sig); err != nil {
				t.Fatal(err)
			}
		}
	}
	for how, end := range map[string]func(*testing.T, *plugin.Manager){
		"killed":  signal(syscall.SIGKILL),
		"stopped": signal(syscall.SIGSTOP),
		"crashed": func(t *testing.T, m *plugin.Manager) { mustDecide(t, m, "crash in generation 1") },
		"swapped": func(t *testing.T, m *plugin.Manager) {
			apply(t, m, configured("bad", `{"verdict":"accept"}`), spec("other", "second"))
		},
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			var log logBuffer
			m := hostilePair(t, "good", func(o *plugin.Options) {
				o.HealthInterval, o.Logger = 50*time.Millisecond, log.logger()
			})
			pid := stray(t, m)
			end(t, m)
			eventually(t, "the stray is gone", func() bool { return !processLives(pid) })
			eventually(t, "it is logged", func() bool {
				return strings.Contains(log.String(), "bad: the plugin left processes behind; they were ended: processes=1")
			})
			if _, gen := mustDecide(t, m, ""); gen != 2 {
				t.Errorf("generation %d", gen)
			}
			othersServed(t, m)
		})
	}
}

func TestStraysAreGoneWhenCloseReturns(t *testing.T) {
	t.Parallel()
	m := hostilePair(t, "good")
	pid := stray(t, m)
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if processLives(pid) {
		t.Error("the stray outlives Close")
	}
}

func TestAStrayOfAnotherPluginIsLeft(t *testing.T) {
	t.Parallel()
	m := newManager(t)
	apply(t, m, spec("bad", "good"))
	pid := stray(t, m)
	second := newManager(t)
	apply(t, second, spec("bad", "good"))
	other := stray(t, second)
	// As like it as a stranger can be.
	stranger := exec.Command("sleep", "1000")
	stranger.Env = append(os.Environ(), "CDPHOST_PLUGIN_MARK=", "CDPHOST_PLUGIN_MARK_2=x")
	if err := stranger.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = stranger.Process.Kill(); _ = stranger.Wait() })
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if processLives(pid) || !processLives(other) || !processLives(stranger.Process.Pid) {
		t.Errorf("own %v, other's %v, stranger %v live", processLives(pid), processLives(other), processLives(stranger.Process.Pid))
	}
	mustDecide(t, second, "")
}

func TestStraysOfAKilledHostEndWithTheNextStart(t *testing.T) {
	t.Parallel()
	pid, left := killedHost(t)
	t.Cleanup(func() { _ = syscall.Kill(left, syscall.SIGKILL) })
	eventually(t, "the plugin is gone", func() bool { return !processLives(pid) })
	newManager(t)
	eventually(t, "the stray is gone", func() bool { return !processLives(left) })
}
