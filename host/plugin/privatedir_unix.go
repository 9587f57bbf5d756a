//go:build unix

package plugin

import (
	"os"

	"golang.org/x/sys/unix"
)

// lockDir marks dir as owned by this process, for as long as it lives.
func lockDir(dir string) (unlock func(), err error) {
	f, err := os.OpenFile(lockFile(dir), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := flock(f); err != nil {
		_ = f.Close()
		return nil, err
	}
	return func() { _ = f.Close() }, nil
}

// abandoned reports whether dir is ours and nobody holds its lock. A folder
// without a lock file is just being made, and left alone.
func abandoned(dir string) bool {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || info.Mode().Perm() != 0o700 {
		return false
	}
	f, err := os.OpenFile(lockFile(dir), os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	return flock(f) == nil
}

func flock(f *os.File) error {
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
}
