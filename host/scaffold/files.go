package scaffold

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"cdphost/sdk/fault"
)

// addSource adds the SDK's source, without its tests.
func addSource(files map[string][]byte, source fs.FS) error {
	return fs.WalkDir(source, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(name, "_test.go") {
			return err
		}
		files[path.Join(sdkFolder, name)], err = fs.ReadFile(source, name)
		return err
	})
}

// write writes files, named with slashes, into dir.
func write(dir string, files map[string][]byte) error {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return fault.Wrap(err, fault.InvalidArgument, "%s can't be made: %v", filepath.Dir(file), err)
		}
		if err := os.WriteFile(file, files[name], 0o644); err != nil { //nolint:gosec // source code, for all to read
			return fault.Wrap(err, fault.InvalidArgument, "%s can't be written: %v", file, err)
		}
	}
	return nil
}
