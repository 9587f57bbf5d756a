//go:build unix && !linux

package plugin

import (
	"os"
	"os/exec"
	"syscall"
)

// isolate puts the process into a group of its own.
func isolate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// group is a process group, by the id of its leader.
type group struct{ pid int }

func newGroup(p *os.Process) *group { return &group{p.Pid} }

// wait reaps the leader, then calls over; members of the group that still live
// keep its id from being used again.
func (g *group) wait(cmd *exec.Cmd, over func()) error {
	err := cmd.Wait()
	over()
	return err
}

func (g *group) kill() { _ = syscall.Kill(-g.pid, syscall.SIGKILL) }
