package config

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/fsnotify/fsnotify"
)

// watchSet is the folders to watch so that no change of some files is missed,
// whichever symbolic links lead to them.
type watchSet struct {
	folders map[string]bool
	names   map[string]bool // whose events matter
}

// follow makes the set right for files as their links are now, and reports
// whether it was another before. The error is of the first folder that can't be
// watched; the others are.
func (s *watchSet) follow(notify *fsnotify.Watcher, files []string) (moved bool, err error) {
	next := watchSet{folders: map[string]bool{}, names: map[string]bool{}}
	for _, file := range files {
		for _, name := range trail(file) {
			folder := filepath.Dir(name)
			next.names[name], next.names[folder], next.folders[folder] = true, true, true
		}
	}
	// A folder that was removed and made again has lost its watch; adding one
	// twice is harmless.
	for folder := range next.folders {
		if addErr := notify.Add(folder); addErr != nil {
			delete(next.folders, folder)
			err = errors.Join(err, addErr)
		}
	}
	for folder := range s.folders {
		if !next.folders[folder] {
			_ = notify.Remove(folder)
		}
	}
	moved = !maps.Equal(s.folders, next.folders) || !maps.Equal(s.names, next.names)
	*s = next
	return moved, err
}

func (s *watchSet) concerns(name string) bool { return s.names[filepath.Clean(name)] }

// trail returns the names that decide what an absolute path leads to: every
// symbolic link on the way, and where it ends. Where something is missing, that
// is the end.
func trail(path string) []string {
	const maxLinks = 64
	root := filepath.VolumeName(path) + string(filepath.Separator)
	at, rest := root, parts(path)
	var names []string
	for len(rest) > 0 {
		next := filepath.Join(at, rest[0])
		rest = rest[1:]
		info, err := os.Lstat(next)
		if err != nil {
			return append(names, next)
		}
		if info.Mode()&os.ModeSymlink == 0 {
			at = next
			continue
		}
		target, err := os.Readlink(next)
		names = append(names, next)
		if err != nil || len(names) > maxLinks {
			return names
		}
		if filepath.IsAbs(target) {
			at = filepath.VolumeName(target) + string(filepath.Separator)
		}
		rest = append(parts(target), rest...)
	}
	return append(names, at)
}

// parts splits a path into its elements, without the volume and the root.
func parts(path string) []string {
	path = strings.TrimPrefix(filepath.ToSlash(path), filepath.ToSlash(filepath.VolumeName(path)))
	return strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
}
