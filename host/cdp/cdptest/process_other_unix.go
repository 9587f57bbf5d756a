//go:build unix && !linux

package cdptest

import (
	"os/exec"
	"syscall"
)

// setProcessGroup makes cmd the leader of a process group.
func setProcessGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}
