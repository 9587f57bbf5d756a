package plugin

import (
	"errors"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// isolate puts the process into a group of its own and has it killed when the
// host dies.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// group is a process group, by the id of its leader.
type group struct{ pid int }

func newGroup(p *os.Process) *group { return &group{p.Pid} }

// wait reaps the leader. It calls over when the leader has ended and is not
// reaped yet, so that its id can't belong to another process by then.
func (g *group) wait(cmd *exec.Cmd, over func()) error {
	for {
		err := unix.Waitid(unix.P_PID, g.pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	over()
	return cmd.Wait()
}

func (g *group) kill() { _ = unix.Kill(-g.pid, unix.SIGKILL) }
