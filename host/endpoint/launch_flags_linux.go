package endpoint

import (
	"os"

	"golang.org/x/sys/unix"
)

// sharedMemoryMin is the size of /dev/shm, in bytes, below which Chromium's
// renderers crash on large pages; containers have 64 MiB by default.
const sharedMemoryMin = 512 << 20

// platformFlags are those that depend on the machine.
func platformFlags(headless bool) []string {
	var list []string
	var shm unix.Statfs_t
	if err := unix.Statfs("/dev/shm", &shm); err != nil || shm.Blocks*uint64(shm.Bsize) < sharedMemoryMin {
		list = append(list, "--disable-dev-shm-usage")
	}
	if _, err := os.Stat("/dev/dri"); headless && err != nil {
		list = append(list, "--disable-gpu") // there is none, and looking for it takes time
	}
	return list
}
