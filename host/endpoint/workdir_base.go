package endpoint

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// errNotPrivate refuses a base folder that other users could have prepared.
var errNotPrivate = errors.New("folder is not private to this user")

// defaultBases lists where temporary profiles may live, first choice first: the
// temporary folder, and the user's cache where somebody else holds the name in
// the former.
func defaultBases() []string {
	bases := []string{filepath.Join(os.TempDir(), fmt.Sprintf("cdphost-%d", os.Getuid()))}
	if cache, err := os.UserCacheDir(); err == nil {
		bases = append(bases, filepath.Join(cache, "cdphost", "browsers"))
	}
	return bases
}

// privateBase makes base, or the first of the defaults that can be private.
func privateBase(base string) (string, error) {
	if base != "" {
		absolute, err := filepath.Abs(base)
		if err != nil {
			return "", err
		}
		return absolute, ensurePrivate(absolute)
	}
	var errs []error
	for _, base := range defaultBases() {
		err := ensurePrivate(base)
		if err == nil {
			return base, nil
		}
		errs = append(errs, err)
	}
	return "", errors.Join(errs...)
}

// PrivateFolder makes a folder of this name that only this user can change, where
// hosts keep what must be found by the next one, and returns its path.
func PrivateFolder(name string) (string, error) {
	base, err := privateBase("")
	if err != nil {
		return "", err
	}
	folder := filepath.Join(base, name)
	return folder, ensurePrivate(folder)
}

func ensurePrivate(folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(folder)
	if err != nil {
		return err
	}
	if !info.IsDir() || !isPrivate(info) {
		return fmt.Errorf("%s: %w", folder, errNotPrivate)
	}
	return nil
}
