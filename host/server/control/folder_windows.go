package control

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// defaultDir is inside the user's own profile, which others can't enter.
func defaultDir() string {
	base, err := os.UserCacheDir()
	if err != nil {
		base = os.TempDir()
	}
	return filepath.Join(base, "cdphost", "run")
}

func preparePrivate(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is not a folder", dir)
	}
	return nil
}

// refused reports whether nobody listens on a socket any more.
func refused(err error) bool {
	const wsaECONNREFUSED = syscall.Errno(10061)
	return errors.Is(err, wsaECONNREFUSED) || errors.Is(err, os.ErrNotExist)
}
