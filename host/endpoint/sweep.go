package endpoint

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// unmarkedAge is how old a folder without a readable marker must be before it is
// taken for a leftover: a live host writes the marker at once after the folder.
const unmarkedAge = time.Hour

// SweepStaleProfiles ends what a killed host left on this machine: browsers that
// still run on a temporary profile whose host is gone, and the profiles. It
// returns how many profiles it removed. What belongs to a live host is never
// touched. Call it once at the start of the host.
func SweepStaleProfiles() (removed int, err error) {
	var errs []error
	for _, base := range defaultBases() {
		n, err := sweep(base)
		removed += n
		errs = append(errs, err)
	}
	return removed, errors.Join(errs...)
}

// sweep clears one base folder. A base that is missing, or not private, so that
// its content can't be trusted, is left alone.
func sweep(base string) (removed int, err error) {
	info, err := os.Lstat(base)
	if err != nil || !info.IsDir() || !isPrivate(info) {
		return 0, nil //nolint:nilerr // nothing there to clear
	}
	entries, err := os.ReadDir(base)
	if err != nil {
		return 0, err
	}
	var errs []error
	for _, entry := range entries {
		root := filepath.Join(base, entry.Name())
		if !entry.IsDir() || !strings.HasPrefix(entry.Name(), workDirPrefix) || !isStale(root) {
			continue
		}
		err := endProcesses(filepath.Join(root, profileName))
		if err == nil {
			err = (&workDir{root: root}).remove()
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		removed++
	}
	return removed, errors.Join(errs...)
}

// isStale reports whether the host that made the folder is gone.
func isStale(root string) bool {
	info, err := os.Lstat(root)
	if err != nil {
		return false
	}
	old := time.Since(info.ModTime()) > unmarkedAge
	mark, err := OpenAbandoned(filepath.Join(root, ownerFile))
	if err != nil {
		return old && (errors.Is(err, os.ErrNotExist) || errors.Is(err, ErrNoOwner))
	}
	_ = mark.Close() // what it said has been read
	return true
}
