package main

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
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

// tree lists a process and all below it.
func tree(root int) []process {
	all := processes()
	var out []process
	for pid := range all {
		for at, hops := pid, 0; at > 1 && hops < 64; at, hops = all[at].parent, hops+1 {
			if at == root {
				out = append(out, all[pid])
				break
			}
		}
	}
	return out
}

func isBrowser(p process) bool { return strings.Contains(p.exe, "chrom") }

// memory is the proportional set size in KB of a server's processes and of the
// browser's below them. A browser that a server starts outside its own process
// tree is not seen, and is 0.
func memory(pid int) (server, browser float64) {
	for _, p := range tree(pid) {
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

// leftovers kills a server that has a page open and counts what of it lives on.
func (b *bench) leftovers() stats {
	s, err := b.session()
	if err != nil {
		return stats{Note: err.Error()}
	}
	if err := b.peer.do.navigate(b.ctx, s, time.Minute, b.site.url("shop", "/plain?id=x")); err != nil {
		return stats{Note: err.Error()}
	}
	before := tree(s.cmd.Process.Pid)
	_ = syscall.Kill(s.cmd.Process.Pid, syscall.SIGKILL)
	time.Sleep(3 * time.Second) // what the row is about
	now := processes()
	left := 0
	for _, p := range before {
		if q, ok := now[p.pid]; ok && q.start == p.start {
			left++
			_ = syscall.Kill(p.pid, syscall.SIGKILL)
		}
	}
	return stats{Value: float64(left)}
}
