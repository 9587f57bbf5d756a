//go:build unix

package control

import (
	"os"
	"strings"
	"testing"
)

func TestPrivate(t *testing.T) {
	t.Parallel()
	dir := socketDir(t)
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	s := start(t, dir, 1)
	for path, want := range map[string]os.FileMode{dir: 0o700, s.Path(): 0o600} {
		info, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", path, got, want)
		}
	}
}

func TestRefusesASymlink(t *testing.T) {
	t.Parallel()
	dir := socketDir(t)
	if err := os.Symlink(t.TempDir(), dir); err != nil {
		t.Fatal(err)
	}
	if err := New(nil, nil).Start(dir, Info{PID: 1}); err == nil || !strings.Contains(err.Error(), "is not a folder") {
		t.Errorf("err = %v", err)
	}
}

func TestPathTooLong(t *testing.T) {
	t.Parallel()
	dir := socketDir(t) + strings.Repeat("x", 100)
	if err := New(nil, nil).Start(dir, Info{PID: 1}); err == nil || !strings.Contains(err.Error(), EnvDir) {
		t.Errorf("err = %v", err)
	}
}
