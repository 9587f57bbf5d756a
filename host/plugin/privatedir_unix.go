//go:build unix

package plugin

import (
	"io"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// lockDir marks dir as owned by this process, for as long as it lives.
func lockDir(dir, mark string) (unlock func(), err error) {
	f, err := os.OpenFile(lockFile(dir), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	// One who looks whether the owner has died holds the lock for a moment.
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
		_ = f.Close()
		return nil, err
	}
	if _, err := f.WriteString(mark); err != nil {
		_ = f.Close()
		return nil, err
	}
	return func() { _ = f.Close() }, nil
}

// abandoned reports whether dir is ours and nobody holds its lock, and with which
// mark it was made. A folder without a lock file, or whose lock file has no mark
// yet, is just being made, and left alone: the mark is written under the lock.
func abandoned(dir string) (mark string, dead bool) {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || info.Mode().Perm() != 0o700 {
		return "", false
	}
	// Root may enter everybody's.
	if stat, ok := info.Sys().(*syscall.Stat_t); !ok || int(stat.Uid) != os.Geteuid() {
		return "", false
	}
	f, err := os.OpenFile(lockFile(dir), os.O_RDWR, 0)
	if err != nil {
		return "", false
	}
	defer func() { _ = f.Close() }()
	if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil {
		return "", false
	}
	text, err := io.ReadAll(f)
	if err != nil || !isMark(string(text)) {
		return "", false
	}
	return string(text), true
}
