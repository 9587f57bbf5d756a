package cdptest

import (
	"os/exec"
	"syscall"
)

// setProcessGroup makes cmd the leader of a process group that dies with this process.
func setProcessGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
