package cdptest

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// setProcessGroup makes cmd the root of a process group.
func setProcessGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// killGroup ends p and its descendants. A process that is already gone is no error.
func killGroup(p *os.Process) error {
	// taskkill is the one tool of the system that follows the tree; it fails when the tree is gone.
	if exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(p.Pid)).Run() == nil {
		return nil
	}
	if err := p.Kill(); !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return nil
}
