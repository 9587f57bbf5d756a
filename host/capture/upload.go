package capture

import (
	"path/filepath"
)

// inside reports whether a file is in a folder, whatever links lead there.
func inside(root, path string) bool {
	if !filepath.IsAbs(path) {
		return false
	}
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		return false
	}
	path, err = filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(root, path)
	return err == nil && rel != "." && filepath.IsLocal(rel)
}
