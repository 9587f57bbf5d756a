package endpoint

import (
	"errors"
	"os"
	"path/filepath"
	"time"
)

const (
	// workDirPrefix begins the name of a folder that holds one temporary profile.
	workDirPrefix = "browser-"
	// ownerFile in it says which host made it.
	ownerFile = "owner.json"
	// profileName is the profile beside it.
	profileName = "profile"

	// A browser's last child may still write into the profile for a moment after
	// it was killed, so the removal is tried again.
	removeFor   = 5 * time.Second
	removePause = 20 * time.Millisecond
)

// workDir is the folder of one temporary profile. A nil workDir is that of a
// profile that is kept: its methods do nothing.
type workDir struct {
	root string
	mark *os.File // held open, and locked where the system can, while the host lives
}

// newWorkDir makes a folder that only this user can enter below base, or below
// the user's default one when base is empty.
func newWorkDir(base string) (*workDir, error) {
	base, err := privateBase(base)
	if err != nil {
		return nil, err
	}
	root, err := os.MkdirTemp(base, workDirPrefix) // 0700
	if err != nil {
		return nil, err
	}
	w := &workDir{root: root}
	if err := errors.Join(w.claim(), os.Mkdir(w.profile(), 0o700)); err != nil {
		w.discard()
		return nil, err
	}
	return w, nil
}

// claim writes the marker that keeps other hosts away while this one lives.
func (w *workDir) claim() error {
	var err error
	w.mark, err = CreateOwned(filepath.Join(w.root, ownerFile))
	return err
}

func (w *workDir) profile() string { return filepath.Join(w.root, profileName) }

// remove takes the folder away, trying again for 5 s.
func (w *workDir) remove() error {
	if w == nil {
		return nil
	}
	// The profile goes first and the marker last: what an interrupted removal
	// leaves is still known as ours.
	err := removeAll(w.profile())
	if w.mark != nil {
		_ = w.mark.Close()
	}
	if err != nil {
		return err
	}
	return removeAll(w.root)
}

// discard removes a folder that no browser has used.
func (w *workDir) discard() {
	_ = w.remove()
}

func removeAll(path string) error {
	end := time.Now().Add(removeFor)
	for pause := removePause; ; pause *= 2 {
		err := os.RemoveAll(path)
		if err == nil || time.Now().Add(pause).After(end) {
			return err
		}
		time.Sleep(pause)
	}
}
