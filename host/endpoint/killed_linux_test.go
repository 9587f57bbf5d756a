package endpoint

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// killedHost runs this test binary as a host that has launched a real browser.
func killedHost(t *testing.T, base string) (*exec.Cmd, hostReport) {
	t.Helper()
	host := exec.Command(os.Args[0])
	host.Env = append(os.Environ(), fakeHostEnv+"="+base)
	out, err := host.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = host.Process.Kill(); _ = host.Wait() })
	var report hostReport
	if err := json.NewDecoder(out).Decode(&report); err != nil || report.Error != "" {
		t.Fatalf("these tests need a browser: %s, %v", report.Error, err)
	}
	return host, report
}

// descendants returns pid and all below it, zygotes and renderers included.
func descendants(t *testing.T, pid int) []int {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	children := map[int][]int{}
	for _, entry := range entries {
		if child, err := strconv.Atoi(entry.Name()); err == nil {
			if fields := statFields(child); len(fields) > 1 {
				parent, _ := strconv.Atoi(fields[1])
				children[parent] = append(children[parent], child)
			}
		}
	}
	all := []int{pid}
	for i := 0; i < len(all); i++ {
		all = append(all, children[all[i]]...)
	}
	return all
}

// statFields returns /proc/PID/stat from the state on, nil when it is gone.
func statFields(pid int) []string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	return strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
}

// running reports whether a process is neither gone nor a zombie that waits for
// its reaper.
func running(pid int) bool {
	fields := statFields(pid)
	return len(fields) > 0 && fields[0] != "Z" && fields[0] != "X"
}

func TestKilledHostLeavesNoProcess(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name       string
		withLeader bool
	}{
		{"the host alone", false},
		{"the host and the group's leader", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			base := t.TempDir()
			host, report := killedHost(t, base)
			var tree []int
			eventually(t, "the browser has its zygotes, GPU process and renderer", func() bool {
				tree = descendants(t, report.PID)
				return len(tree) >= 6
			})
			if tc.withLeader {
				if err := syscall.Kill(report.Leader, syscall.SIGKILL); err != nil {
					t.Fatal(err)
				}
			}
			if err := host.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = host.Wait()
			for _, pid := range append(tree, report.Leader) {
				eventually(t, fmt.Sprintf("process %d of the browser is gone", pid), func() bool { return !running(pid) })
			}
			if pids, err := processesOf(report.Profile); err != nil || len(pids) != 0 {
				t.Errorf("left with the profile: %v, %v", pids, err)
			}

			if removed, err := sweep(base); removed != 1 || err != nil || !emptyFolder(t, base) {
				t.Errorf("sweep: %d, %v", removed, err)
			}
		})
	}
}

// A stopped host is alive: its browser and profile stay.
func TestSweepLeavesALiveHost(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	_, report := killedHost(t, base)
	if removed, err := sweep(base); removed != 0 || err != nil || !running(report.PID) {
		t.Errorf("sweep: %d, %v", removed, err)
	}
	if _, err := os.Stat(filepath.Join(report.Profile, "Local State")); err != nil {
		t.Logf("profile has no Local State yet: %v", err)
	}
}

// What neither the leader nor the kernel ended is ended by the next host.
func TestSweepEndsProcesses(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	root := filepath.Join(base, workDirPrefix+"left")
	profile := filepath.Join(root, profileName)
	if err := os.MkdirAll(profile, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(root, ownerFile), `{"pid": 1, "start": "another boot/1"}`)
	left := exec.Command(os.Args[0], fakeBrowserFlag+"silent", "--user-data-dir="+profile)
	other := exec.Command(os.Args[0], fakeBrowserFlag+"silent", "--user-data-dir="+profile+"-of-another")
	for _, cmd := range []*exec.Cmd{left, other} {
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
	}
	done := make(chan error, 1)
	go func() { done <- left.Wait() }()
	removed, err := sweep(base)
	if removed != 1 || err != nil || !emptyFolder(t, base) {
		t.Errorf("sweep: %d, %v", removed, err)
	}
	if err := <-done; err == nil || err.Error() != "signal: killed" {
		t.Errorf("left process: %v", err)
	}
	if !running(other.Process.Pid) {
		t.Error("a process with another profile was ended")
	}
	_ = other.Process.Kill()
	_ = other.Wait()
}
