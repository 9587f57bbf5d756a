//go:build unix

package endpoint

import (
	"errors"
	"syscall"
	"time"
)

const (
	// endFor bounds the wait for killed processes to be gone.
	endFor   = 5 * time.Second
	endPause = 20 * time.Millisecond
)

// endProcesses kills the processes whose command line names the profile and
// waits until they are gone.
func endProcesses(profile string) error {
	end := time.Now().Add(endFor)
	for {
		pids, err := processesOf(profile)
		if err != nil || len(pids) == 0 {
			return err
		}
		for _, pid := range pids {
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
				return err
			}
		}
		if time.Now().After(end) {
			return errStillRunning
		}
		time.Sleep(endPause)
	}
}

var errStillRunning = errors.New("processes of a stale profile do not end")
