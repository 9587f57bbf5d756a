//go:build unix

package cdptest

import (
	"errors"
	"os"
	"syscall"
)

// killGroup ends the process group that p leads. A group that is already gone is no error.
func killGroup(p *os.Process) error {
	err := syscall.Kill(-p.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) || errors.Is(err, syscall.EPERM) {
		return nil // EPERM is what darwin answers for a group of zombies
	}
	return err
}
