package main

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// process is what /proc says of one process.
type process struct {
	pid, parent int
	exe         string
	start       string
}

func processes() map[int]process {
	out := map[int]process{}
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, d := range dirs {
		pid, _ := strconv.Atoi(filepath.Base(d))
		stat, err := os.ReadFile(d + "/stat")
		if err != nil {
			continue
		}
		_, rest, ok := strings.Cut(string(stat), ") ")
		f := strings.Fields(rest)
		if !ok || len(f) < 20 || f[0] == "Z" {
			continue
		}
		parent, _ := strconv.Atoi(f[1])
		exe, _ := os.Readlink(d + "/exe")
		out[pid] = process{pid, parent, exe, f[19]}
	}
	return out
}

// family lists the processes that a server has started, itself included: those
// whose environment carries its mark, and all below them. A daemon that left the
// process tree is found by the mark; a process that wrote over its environment,
// as Chromium's do, by its parents.
func family(mark string) []process {
	all := processes()
	ours := map[int]bool{}
	want := []byte(familyKey + "=" + mark)
	for pid := range all {
		env, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
		ours[pid] = slices.ContainsFunc(bytes.Split(env, []byte{0}), func(v []byte) bool { return bytes.Equal(v, want) })
	}
	var out []process
	for pid, p := range all {
		for at, hops := pid, 0; at > 1 && hops < 64; at, hops = all[at].parent, hops+1 {
			if ours[at] {
				out = append(out, p)
				break
			}
		}
	}
	return out
}

// procs says whether the rows about processes and memory can be had.
const procs = true

func isBrowser(p process) bool { return strings.Contains(p.exe, "chrom") }

// mainBrowser is the browser's own process: the one that no browser started.
func mainBrowser(all []process) (process, bool) {
	for _, p := range all {
		if isBrowser(p) && !slices.ContainsFunc(all, func(q process) bool { return q.pid == p.parent && isBrowser(q) }) {
			return p, true
		}
	}
	return process{}, false
}

// memory is the proportional set size in KB of a server's processes and of its
// browsers'.
func memory(mark string) (server, browser float64) {
	for _, p := range family(mark) {
		if isBrowser(p) {
			browser += resident(p.pid)
		} else {
			server += resident(p.pid)
		}
	}
	return server, browser
}

func resident(pid int) (kb float64) {
	f, err := os.Open("/proc/" + strconv.Itoa(pid) + "/smaps_rollup")
	if err != nil {
		return 0
	}
	defer f.Close() //nolint:errcheck // read only
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), "Pss:"); ok {
			kb, _ = strconv.ParseFloat(strings.Fields(rest)[0], 64)
		}
	}
	return kb
}

// alive returns those of some processes that still live.
func alive(before []process) (left []process) {
	now := processes()
	for _, p := range before {
		if q, ok := now[p.pid]; ok && q.start == p.start {
			left = append(left, p)
		}
	}
	return left
}

func kill(pid int) { _ = syscall.Kill(pid, syscall.SIGKILL) }
