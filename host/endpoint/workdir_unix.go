//go:build unix

package endpoint

import (
	"errors"
	"os"
	"syscall"
)

// isPrivate reports whether a folder is this user's and nobody else can write to it.
func isPrivate(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid() && info.Mode().Perm()&0o022 == 0
}

// lockFile holds f for as long as this process has it open. The kernel gives
// the lock up with the process, whichever PID namespace asks.
func lockFile(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// isLocked reports whether another open file holds the lock.
func isLocked(f *os.File) bool {
	return errors.Is(lockFile(f), syscall.EWOULDBLOCK)
}
