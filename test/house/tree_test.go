package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

// skipped are folders that hold no source of ours.
var skipped = []string{".git", "bin", "node_modules"}

// files returns the paths, relative to the repository and with slashes, of all
// files for which keep is true.
func files(t *testing.T, keep func(name string) bool) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if slices.Contains(skipped, entry.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		relative, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		if relative = filepath.ToSlash(relative); keep(relative) {
			found = append(found, relative)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// source is one Go file, whatever operating system it is for.
type source struct {
	name string // relative to the repository
	*ast.File
}

// folder is the file's package, named by its folder.
func (s source) folder() string { return path.Dir(s.name) }

// test tells whether the file is part of a test only.
func (s source) test() bool { return strings.HasSuffix(s.name, "_test.go") }

// sources returns all Go files but those in testdata.
func sources(t *testing.T, mode parser.Mode) []source {
	t.Helper()
	var all []source
	for _, name := range files(t, func(name string) bool {
		return strings.HasSuffix(name, ".go") && !strings.Contains("/"+name, "/testdata/")
	}) {
		file, err := parser.ParseFile(token.NewFileSet(), name, read(t, name), mode)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, source{name, file})
	}
	if len(all) < 100 {
		t.Fatalf("only %d Go files found: the walk is broken", len(all))
	}
	return all
}
