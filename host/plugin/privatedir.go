package plugin

import (
	"os"
	"path/filepath"
)

const (
	dirPrefix = "cdph-"
	// maxBase keeps a socket's whole path below the 104 bytes of the strictest
	// system: go-plugin adds about 55.
	maxBase = 40
)

// privateDir makes a folder that only this user can enter and that lives as long
// as this process. It holds the host's mark. What killed hosts left behind goes:
// their folders, and the processes that carry their marks.
func privateDir(mark string) (dir string, release func(), err error) {
	base := os.TempDir()
	if len(base) > maxBase {
		if info, err := os.Stat("/tmp"); err == nil && info.IsDir() {
			base = "/tmp"
		}
	}
	sweep(base)
	dir, err = os.MkdirTemp(base, dirPrefix)
	if err != nil {
		return "", nil, err
	}
	unlock, err := lockDir(dir, mark)
	if err != nil {
		_ = os.RemoveAll(dir)
		return "", nil, err
	}
	return dir, func() {
		_ = os.RemoveAll(dir)
		unlock()
	}, nil
}

// sweep removes the folders whose owner has died, and ends what its plugins have
// left running.
func sweep(base string) {
	dirs, err := filepath.Glob(filepath.Join(base, dirPrefix+"*"))
	if err != nil {
		return
	}
	for _, dir := range dirs {
		mark, dead := abandoned(dir)
		if !dead {
			continue
		}
		endStrays(mark + ".")
		_ = os.RemoveAll(dir)
	}
}

func lockFile(dir string) string { return filepath.Join(dir, "lock") }
