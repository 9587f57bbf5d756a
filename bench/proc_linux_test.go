package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestFamily: a process is known by its mark, in whatever session it is, and so is
// what it started.
func TestFamily(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("sh", "-c", "env -i sleep 60 & echo up; wait")
	cmd.Env = append(os.Environ(), familyKey+"=test-"+nextID())
	cmd.SysProcAttr = ownGroup()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Wait() }() // it is killed
	defer killGroup(cmd)
	if _, err := out.Read(make([]byte, 3)); err != nil {
		t.Fatal(err)
	}
	mark := strings.TrimPrefix(cmd.Env[len(cmd.Env)-1], familyKey+"=")
	if got := family(mark); len(got) != 2 {
		t.Errorf("%d processes, want the shell and the one that dropped the mark", len(got))
	}
	if got := family(mark + "0"); len(got) != 0 {
		t.Errorf("%d processes of another mark", len(got))
	}
}
