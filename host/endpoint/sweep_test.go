package endpoint

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestSweep(t *testing.T) {
	t.Parallel()
	start, err := processStart(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	mark := func(o owner) string {
		data, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	const noMarker = "-"
	for _, tc := range []struct {
		name, folder, marker string
		old                  bool
		removed              int
	}{
		{"of a live host", workDirPrefix + "1", mark(owner{os.Getpid(), start}), true, 0},
		{"of a process id that was given away", workDirPrefix + "1", mark(owner{os.Getpid(), "another start"}), false, 1},
		{"of a process that is gone", workDirPrefix + "1", mark(owner{1 << 30, start}), false, 1},
		{"just being made", workDirPrefix + "1", noMarker, false, 0},
		{"made by half long ago", workDirPrefix + "1", noMarker, true, 1},
		{"marker just being written", workDirPrefix + "1", `{"pid`, false, 0},
		{"marker written by half long ago", workDirPrefix + "1", `{"pid`, true, 1},
		{"not ours", "something", mark(owner{1 << 30, start}), true, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			base := t.TempDir()
			root := filepath.Join(base, tc.folder)
			if err := os.MkdirAll(filepath.Join(root, profileName, "Default"), 0o700); err != nil {
				t.Fatal(err)
			}
			if tc.marker != noMarker {
				write(t, filepath.Join(root, ownerFile), tc.marker)
			}
			if tc.old {
				at := time.Now().Add(-2 * unmarkedAge)
				if err := os.Chtimes(root, at, at); err != nil {
					t.Fatal(err)
				}
			}
			removed, err := sweep(base)
			if removed != tc.removed || err != nil || emptyFolder(t, base) != (tc.removed == 1) {
				t.Errorf("removed %d, %v", removed, err)
			}
		})
	}
}

// The lock of a live host counts even where its process id means nothing, as
// between containers that share a temporary folder.
func TestSweepHonoursTheLock(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	w, err := newWorkDir(base)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.mark.WriteAt([]byte(`{"pid": 1073741824, "start": "x"}`+"                                                                        "), 0); err != nil {
		t.Fatal(err)
	}
	if removed, err := sweep(base); removed != 0 || err != nil {
		t.Errorf("removed %d, %v", removed, err)
	}
	if err := w.remove(); err != nil || !emptyFolder(t, base) {
		t.Errorf("remove: %v", err)
	}
}

func TestSweepWithoutBase(t *testing.T) {
	t.Parallel()
	if removed, err := sweep(filepath.Join(t.TempDir(), "nope")); removed != 0 || err != nil {
		t.Errorf("removed %d, %v", removed, err)
	}
}

func TestWorkDirIsPrivate(t *testing.T) {
	t.Parallel()
	shared := filepath.Join(t.TempDir(), "shared")
	if err := os.Mkdir(shared, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(shared, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := newWorkDir(shared); err == nil {
		t.Error("a folder that everybody may write to was taken")
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(t.TempDir(), link); err != nil {
		t.Fatal(err)
	}
	if _, err := newWorkDir(link); err == nil {
		t.Error("a link was taken")
	}
	base := filepath.Join(t.TempDir(), "new")
	w, err := newWorkDir(base)
	if err != nil {
		t.Fatal(err)
	}
	defer w.discard()
	for _, folder := range []string{base, w.root, w.profile()} {
		if info, err := os.Stat(folder); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", folder, info.Mode(), err)
		}
	}
}
