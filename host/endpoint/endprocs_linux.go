package endpoint

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// processesOf returns the processes that were given the profile, or a folder in
// it, as the value of a flag. Zombies have no command line and are not among
// them.
func processesOf(profile string) ([]int, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	var pids []int
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		line, err := os.ReadFile(filepath.Join("/proc", entry.Name(), "cmdline"))
		if err == nil && namesProfile(line, profile) {
			pids = append(pids, pid)
		}
	}
	return pids, nil
}

// namesProfile looks for --flag=profile in a command line whose arguments are
// separated by zero bytes; processes that rewrite theirs separate by spaces.
func namesProfile(line []byte, profile string) bool {
	for _, arg := range bytes.FieldsFunc(line, func(r rune) bool { return r == 0 || r == ' ' }) {
		name, value, ok := bytes.Cut(arg, []byte{'='})
		if !ok || !bytes.HasPrefix(name, []byte("--")) {
			continue
		}
		rest, ok := bytes.CutPrefix(value, []byte(profile))
		if ok && (len(rest) == 0 || rest[0] == filepath.Separator) {
			return true
		}
	}
	return false
}
