package endpoint

import (
	"strconv"

	"golang.org/x/sys/unix"
)

// processStart returns when a process started, in microseconds.
func processStart(pid int) (string, error) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return "", err
	}
	at := info.Proc.P_starttime
	return strconv.FormatInt(at.Sec*1_000_000+int64(at.Usec), 10), nil
}
