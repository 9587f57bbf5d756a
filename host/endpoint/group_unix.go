//go:build unix

package endpoint

import (
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// group is the process group of one browser. Its leader is a shell that waits
// for the end of a pipe whose other end only the host holds: when the host ends,
// also by SIGKILL, the leader kills the group. The leader keeps the group's id
// from being given to others, so a kill never hits a stranger.
type group struct {
	leader *exec.Cmd
	hold   *os.File
	once   sync.Once
}

// guard is what the leader runs.
const guard = `read -r _; kill -9 0`

func newGroup() (*group, error) {
	end, hold, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer func() { _ = end.Close() }()
	leader := exec.Command("/bin/sh", "-c", guard)
	leader.Env = []string{}
	leader.Dir = "/"
	leader.Stdin = end
	leader.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := leader.Start(); err != nil {
		_ = hold.Close()
		return nil, err
	}
	return &group{leader: leader, hold: hold}, nil
}

// adopt lets cmd start as a member of the group.
func (g *group) adopt(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: g.leader.Process.Pid}
	dieWithParent(cmd.SysProcAttr)
}

// joined is told that the adopted command runs.
func (g *group) joined(*os.Process) error { return nil }

// ask asks the browser's main process to end.
func (g *group) ask(p *os.Process) { _ = p.Signal(syscall.SIGTERM) }

// kill ends every process of the group, and returns when the leader is gone.
func (g *group) kill() {
	g.once.Do(func() {
		_ = syscall.Kill(-g.leader.Process.Pid, syscall.SIGKILL)
		_ = g.hold.Close()
		_ = g.leader.Wait()
	})
}

func (g *group) leaderPID() int { return g.leader.Process.Pid }
