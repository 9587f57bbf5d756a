package plugin

import (
	"bytes"
	"os"
	"strconv"
	"time"
)

const (
	// strayPatience bounds the search: what the system does not end within it, as a
	// process that waits for a dead disk, is left to the system.
	strayPatience = 2 * time.Second
	// strayPause is between two looks at what is ending.
	strayPause = time.Millisecond
	// strayLooks is how often a process is looked at that shows no environment. One
	// that is in the middle of execve shows none, for some microseconds.
	strayLooks = 5
)

// endStrays ends the processes that carry a mark, which starts with what is given,
// in whatever group or session they are, and returns how many there were. It
// looks until there are none, because one may start another before it ends.
//
// It never ends a stranger: a process is held by its descriptor (pidfd), then its
// environment is read, and the signal goes to what is held. What is not seen is a
// process that dropped the mark from its environment, and one whose environment
// this user may not read.
func endStrays(mark string) int {
	want := []byte(markEnv + "=" + mark)
	ended := map[int]struct{}{}
	deadline := time.Now().Add(strayPatience)
	for looks := 1; ; looks++ {
		found, unclear := strays(want)
		for _, p := range found {
			if p.Kill() == nil {
				ended[p.Pid] = struct{}{}
			}
			_ = p.Release()
		}
		if len(found) == 0 && (!unclear || looks >= strayLooks) || time.Now().After(deadline) {
			return len(ended)
		}
		time.Sleep(strayPause)
	}
}

// strays lists the processes whose environment has want. unclear tells that one
// might have it in a moment.
func strays(want []byte) (found []*os.Process, unclear bool) {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil, false
	}
	defer func() { _ = proc.Close() }()
	names, err := proc.Readdirnames(-1)
	if err != nil {
		return nil, false
	}
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil || pid == os.Getpid() {
			continue
		}
		has, empty := carriesMark(name, want)
		unclear = unclear || empty
		if !has {
			continue
		}
		p, err := os.FindProcess(pid)
		if err != nil {
			continue
		}
		if has, _ = carriesMark(name, want); has {
			found = append(found, p)
			continue
		}
		_ = p.Release()
	}
	return found, unclear
}

// carriesMark reports whether the environment of a process has want. empty tells
// of one that runs a program and shows no environment; the kernel's own threads and
// what has ended run none.
func carriesMark(pid string, want []byte) (has, empty bool) {
	env, err := os.ReadFile("/proc/" + pid + "/environ")
	switch {
	case err != nil:
		return false, false
	case len(env) == 0:
		_, err := os.Readlink("/proc/" + pid + "/exe")
		return false, err == nil
	}
	for entry := range bytes.SplitSeq(env, []byte{0}) {
		if bytes.HasPrefix(entry, want) {
			return true, false
		}
	}
	return false, false
}
