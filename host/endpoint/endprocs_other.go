//go:build unix && !linux

package endpoint

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// processesOf returns the processes that were given the profile as the value of
// a flag.
func processesOf(profile string) ([]int, error) {
	out, err := exec.Command("ps", "-axww", "-o", "pid=,command=").Output()
	if err != nil {
		return nil, err
	}
	var pids []int
	for line := range strings.Lines(string(out)) {
		pidText, command, _ := strings.Cut(strings.TrimSpace(line), " ")
		pid, err := strconv.Atoi(pidText)
		if err != nil || pid == os.Getpid() {
			continue
		}
		if strings.Contains(command, " --user-data-dir="+profile) || strings.Contains(command, "="+profile+"/") {
			pids = append(pids, pid)
		}
	}
	return pids, nil
}
