package endpoint

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

var errProcStat = errors.New("unexpected form of /proc/PID/stat")

// processStart returns when a process started, in a form that is equal only for
// one and the same process: boot id and clock ticks since boot. A zombie is an
// error, as a process that is gone.
func processStart(pid int) (string, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", err
	}
	// The command name in parentheses may hold anything; starttime is field 22,
	// the 20th after it.
	end := strings.LastIndexByte(string(stat), ')')
	fields := strings.Fields(string(stat[end+1:]))
	if end < 0 || len(fields) < 20 {
		return "", errProcStat
	}
	if fields[0] == "Z" || fields[0] == "X" {
		return "", os.ErrProcessDone
	}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(string(boot)) + "/" + fields[19], nil
}
